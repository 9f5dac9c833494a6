# SPDX-License-Identifier: MIT
"""Conan 2 recipe of the checkout that it is part of: conan create packaging/conan"""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rm, rmdir


class OssaConan(ConanFile):
    name = "ossa"
    license = "MIT"
    description = "Reads, checks, plays, converts and writes the skeletal animations of old games"
    topics = ("animation", "skeletal", "gltf", "bvh", "games")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "with_png": [True, False],
        "with_zlib": [True, False],
    }
    default_options = {"shared": False, "with_png": True, "with_zlib": True}

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        api = load(self, os.path.join(self._root, "include", "ossa", "api.h"))
        parts = ("MAJOR", "MINOR", "PATCH")
        self.version = ".".join(re.search(rf"OSSA_VERSION_{part} (\d+)", api).group(1) for part in parts)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, src=self._root, dst=self.export_sources_folder)

    def configure(self):
        self.settings.rm_safe("compiler.libcxx")
        self.settings.rm_safe("compiler.cppstd")

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.with_png:
            self.requires("libpng/[>=1.6 <2]")
        if self.options.with_zlib:
            self.requires("zlib/[>=1.2.11 <2]")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["OSSA_BUILD_TOOL"] = False
        toolchain.cache_variables["OSSA_BUILD_SHARED"] = bool(self.options.shared)
        toolchain.cache_variables["OSSA_WITH_PNG"] = bool(self.options.with_png)
        toolchain.cache_variables["OSSA_WITH_ZLIB"] = bool(self.options.with_zlib)
        toolchain.cache_variables["OSSA_WITH_STB"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        # Conan writes these itself.
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))
        if self.options.shared:  # the static library is always built
            rm(self, "libossa.a", os.path.join(self.package_folder, "lib"))
            rm(self, "ossa_static.lib", os.path.join(self.package_folder, "lib"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "ossa")
        self.cpp_info.set_property("cmake_target_name", "ossa::ossa")
        self.cpp_info.set_property("pkg_config_name", "ossa")
        is_msvc = self.settings.compiler == "msvc"
        self.cpp_info.libs = ["ossa_static" if is_msvc and not self.options.shared else "ossa"]
        if self.options.shared and self.settings.os == "Windows":
            self.cpp_info.defines = ["OSSA_SHARED"]
        if not self.options.shared and self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m"]
