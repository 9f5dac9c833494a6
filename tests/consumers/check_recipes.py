# SPDX-License-Identifier: MIT
"""Checks what of the recipes in packaging/ can be checked without vcpkg and Conan: that they parse, and
that all they name exists. Usage: check_recipes.py ROOT BUILD PREFIX, the last an installed Ossa."""
import json
import pathlib
import re
import sys

root, build, prefix = (pathlib.Path(argument) for argument in sys.argv[1:])
packaging = root / "packaging"
problems = []

api = (root / "include/ossa/api.h").read_text()
version = ".".join(re.search(rf"OSSA_VERSION_{part} (\d+)", api).group(1) for part in ("MAJOR", "MINOR", "PATCH"))
port = json.loads((packaging / "vcpkg/ossa/vcpkg.json").read_text())
if port["version"] != version:
    problems.append(f"vcpkg.json says {port['version']}, Ossa is {version}")

for path in packaging.rglob("*.py"):
    compile(path.read_text(), path, "exec")

options = set(re.findall(r"^(OSSA_\w+):", (build / "CMakeCache.txt").read_text(), re.M))
targets = set()
for path in prefix.rglob("ossa*.cmake"):
    targets.update(re.findall(r"add_library\((ossa::\w+)", path.read_text()))
recipes = [packaging / "vcpkg/ossa/portfile.cmake", packaging / "vcpkg/ossa/usage"]
recipes += [packaging / "conan/conanfile.py", packaging / "conan/test_package/CMakeLists.txt"]
named = 0
for path in recipes:
    text = path.read_text()
    # What is passed to CMake, but not what the compiler gets.
    for option in set(re.findall(r"\bOSSA_(?:BUILD|WITH|INSTALL)\w*", text)):
        named += 1
        if option not in options:
            problems.append(f"{path.relative_to(root)}: there is no option {option}")
    for target in set(re.findall(r"\bossa::\w+", text)):
        named += 1
        if target not in targets:
            problems.append(f"{path.relative_to(root)}: there is no target {target}")
for feature, option in re.findall(r"^  (\w+) (OSSA_\w+)", recipes[0].read_text(), re.M):
    named += 1
    if feature not in port["features"]:
        problems.append(f"portfile.cmake: vcpkg.json has no feature {feature}, for {option}")
for name in re.findall(r'for pattern in \(([^)]*)\)', recipes[2].read_text())[0].replace('"', "").split(", "):
    named += 1
    if not (root / name.removesuffix("/*")).exists():
        problems.append(f"conanfile.py: there is no {name} to export")
if named < 15:
    problems.append(f"found only {named} names in the recipes")
sys.exit("\n".join(problems) or None)
