// SPDX-License-Identifier: MIT
//
// The same as figures.c, as a program in C++ would do it.
#ifdef TWO_FILES
#include "ossa.h"
#else
#include <ossa/ossa.h>
#endif

#include <cstdio>
#include <memory>
#include <stdexcept>

static void check(bool ok, const ossa_error &error)
{
    if (!ok) throw std::runtime_error(error.message);
}

template <typename T> static std::unique_ptr<T, void (*)(T *)> own(T *pointer, void (*free)(T *))
{
    return std::unique_ptr<T, void (*)(T *)>(pointer, free);
}

int main(int argc, char **argv)
try {
    if (argc != 2 || ossa_version() != OSSA_VERSION) return 2;
    ossa_error error = {};
    auto workspace = own(ossa_workspace_new(nullptr, &error), ossa_workspace_free);
    check(workspace != nullptr, error);
    auto figures = own(ossa_workspace_figures(workspace.get(), argv[1], &error), ossa_figures_free);
    check(figures != nullptr, error);
    for (size_t i = 0; i < figures->count; i++) {
        const ossa_figure &figure = figures->items[i];
        auto scene = own(
            ossa_workspace_scene(workspace.get(), figure.paths, figure.path_count, nullptr, &error),
            ossa_scene_free);
        check(scene != nullptr, error);
        ossa_buffer json = {};
        check(ossa_write_scene_json(scene.get(), nullptr, ossa_buffer_sink(&json), &error), error);
        uint32_t sum = 2166136261U; // FNV-1a
        for (size_t k = 0; k < json.size; k++) sum = (sum ^ json.data[k]) * 16777619U;
        std::printf("%s: %u bones, %u clips, %08x\n", figure.name,
                    static_cast<unsigned>(scene->bone_count),
                    static_cast<unsigned>(scene->clip_count), static_cast<unsigned>(sum));
        ossa_buffer_free(&json);
    }
    return 0;
} catch (const std::exception &exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return 1;
}
