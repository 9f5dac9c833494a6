/* SPDX-License-Identifier: MIT */
#include "import/match.h"

#include "base/index.h"
#include "scene/edit.h"
#include "scene/node_names.h"

#include <inttypes.h>
#include <string.h>

/* What one match needs on the way. */
struct matching {
    struct ossa__context *context;
    const ossa_scene *scene;
    const struct ossa__motion *motion;
    struct ossa__index
        index;        /* of names: the first of the nodes that have it, joints before others */
    uint32_t *next;   /* by node: another of that name + 1; 0: none */
    uint32_t *last;   /* by node that is the first: the last of its name */
    uint32_t *unused; /* the same: the first that is not a bone yet, + 1; 0: none */
    uint8_t *is_bone; /* by node */
};

static bool start_index(struct ossa__context *context, struct ossa__index *index, uint32_t count)
{
    uint64_t size = ossa__index_size(count);
    void *memory = ossa__take_scratch(context, size == 0 ? UINT64_MAX : size, 1);
    if (memory != NULL) ossa__index_start(index, memory, count, NULL);
    return memory != NULL;
}

static void index_node(struct matching *m, uint32_t n)
{
    const char *name = m->motion->nodes[n].name;
    uint32_t first = ossa__index_add(&m->index, name, (uint32_t)strlen(name), n);
    m->next[n] = 0;
    if (first != n) m->next[m->last[first]] = n + 1;
    m->last[first] = n;
    m->unused[first] = first + 1;
}

/* Joints of a skin first: Blender gives the meshes of stiff parts nodes that are called like their
 * bones. */
static bool index_nodes(struct matching *m)
{
    uint32_t count = m->motion->node_count;
    bool is_started = start_index(m->context, &m->index, count);
    m->next = ossa__take_scratch(m->context, count, sizeof *m->next);
    m->last = ossa__take_scratch(m->context, count, sizeof *m->last);
    m->unused = ossa__take_scratch(m->context, count, sizeof *m->unused);
    m->is_bone = ossa__take_scratch(m->context, count, 1);
    if (!is_started || m->context->failed) return false;
    memset(m->is_bone, 0, count);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t n = 0; n < count; n++) {
            if (m->motion->nodes[n].is_joint == (pass == 0)) index_node(m, n);
        }
    }
    return true;
}

/* The first node of a name that is not a bone yet: scene JSON has bones of one name, as some games
 * do, in their order. -1: none. */
static int64_t find_node(struct matching *m, const char *name, size_t size)
{
    int64_t first = ossa__index_find(&m->index, name, (uint32_t)size);
    if (first < 0) return -1;
    uint32_t *next = &m->unused[first];
    while (*next > 0 && m->is_bone[*next - 1]) *next = m->next[*next - 1];
    return (int64_t)*next - 1;
}

/* The names that the bones have in files of the motion's format; NULL after a failure. */
static const char *const *list_names(struct matching *m)
{
    uint32_t count = m->scene->bone_count;
    bool is_bvh = !m->motion->has_rest;
    /* The writers clean the name of the node above all bones, too: in glTF first, in BVH last. */
    uint32_t first = is_bvh || m->motion->has_own_names ? 0 : 1;
    const char **names = ossa__take_scratch(m->context, (uint64_t)count + 1, sizeof *names);
    if (names == NULL) return NULL;
    names[first == 0 ? count : 0] = m->scene->name;
    for (uint32_t b = 0; b < count; b++) names[first + b] = m->scene->bones[b].name;
    if (m->motion->has_own_names) return names;
    const char *const *cleaned = (const char *const *)ossa__clean_names(
        m->context, is_bvh ? &ossa__bvh_name_rule : &ossa__gltf_name_rule, names,
        (size_t)count + 1);
    return cleaned == NULL ? NULL : cleaned + first;
}

static int64_t find_bone(struct matching *m, const char *cleaned, const char *own)
{
    enum { BLENDER_NAME = 63 }; /* bytes of a name in Blender */
    int64_t node = find_node(m, cleaned, strlen(cleaned));
    if (node < 0) node = find_node(m, own, strlen(own));
    if (node < 0 && strlen(cleaned) > BLENDER_NAME) node = find_node(m, cleaned, BLENDER_NAME);
    return node;
}

/* The node that hides a bone: it is called NAME_visible. */
static int32_t find_visible(struct matching *m, const char *name)
{
    size_t size = strlen(name);
    char *longer = ossa__take_scratch(m->context, size + sizeof "_visible", 1);
    if (longer == NULL) return -1;
    memcpy(longer, name, size);
    memcpy(longer + size, "_visible", sizeof "_visible");
    return (int32_t)ossa__index_find(&m->index, longer, (uint32_t)(size + sizeof "_visible" - 1));
}

/* Is it the mesh of a stiff part, called like its bone? It is not that bone if that was renamed. */
static bool is_only_mesh(const struct matching *m, uint32_t node)
{
    const struct ossa__motion_node *found = &m->motion->nodes[node];
    bool is_on_joint = found->parent >= 0 && m->motion->nodes[found->parent].is_joint;
    return found->has_mesh && !found->is_joint && is_on_joint;
}

static bool find_bones(struct matching *m, uint32_t *nodes, int32_t *visible)
{
    uint32_t missing = 0;
    uint32_t first = 0;
    const char *const *names = list_names(m);
    if (names == NULL) return false;
    for (uint32_t b = 0; b < m->scene->bone_count; b++) {
        int64_t node = find_bone(m, names[b], m->scene->bones[b].name);
        if (node >= 0 && is_only_mesh(m, (uint32_t)node)) node = -1;
        if (node < 0 && missing++ == 0) first = b;
        nodes[b] = node < 0 ? 0 : (uint32_t)node;
        if (node >= 0) m->is_bone[node] = 1;
        visible[b] = find_visible(m, names[b]);
    }
    if (m->context->failed) return false;
    if (missing == 0) return true;
    if (missing > m->scene->bone_count / 2) {
        return ossa__fail_nowhere(m->context, OSSA_CODE_UNKNOWN_BONE, "",
                                  "%" PRIu32 " of %" PRIu32
                                  " bones of '%s' are missing, the first is '%s'; the originals "
                                  "must be those that were converted, with their skeleton",
                                  missing, m->scene->bone_count, m->scene->name,
                                  m->scene->bones[first].name);
    }
    return ossa__fail_nowhere(
        m->context, OSSA_CODE_UNKNOWN_BONE, "",
        "%" PRIu32 " of %" PRIu32 " bones %s missing, the first is '%s'; bones are recognised by "
        "their names: do not rename or delete them, and export the whole skeleton",
        missing, m->scene->bone_count, missing == 1 ? "is" : "are", m->scene->bones[first].name);
}

/* ---- the rest pose ------------------------------------------------------------------------- */

static struct ossa__affine rest_of(const ossa_transform *rest)
{
    double translation[3];
    double scale[3];
    for (unsigned k = 0; k < 3; k++) {
        translation[k] = (double)rest->translation[k];
        scale[k] = (double)rest->scale[k];
    }
    struct ossa__quat q = ossa__quat_load(rest->rotation);
    (void)ossa__quat_normalise(&q);
    return ossa__affine_of(translation, q, scale);
}

static struct ossa__affine bind_of(const double bind[16])
{
    struct ossa__affine a;
    for (unsigned c = 0; c < 3; c++) {
        for (unsigned r = 0; r < 3; r++) a.m[c][r] = bind[4 * c + r];
        a.t[c] = bind[12 + c];
    }
    return a;
}

static const struct ossa__affine identity = {.m = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static double distance(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* Farther than this, a joint was moved, and not only rounded. Far from the origin, floats are not
 * as fine. */
static double farthest(const double rest[3], double scale)
{
    return 1e-3 + 1e-5 * distance(rest, (double[3]){0.0, 0.0, 0.0}) / scale;
}

static bool refuse_rest(struct matching *m, uint32_t bone, double length)
{
    return ossa__fail_nowhere(
        m->context, OSSA_CODE_REST_CHANGED, "",
        "the rest pose of the skeleton was changed: '%s' is %.4g mm from where it was; move bones "
        "in Pose Mode, not in Edit Mode, and leave the armature object where it is; if nothing was "
        "moved, the originals or options are not those of the conversion",
        m->scene->bones[bone].name, length * 1000.0);
}

/* Blender rotates a BVH that it imports so that Z is up, unless it is told that Z is up already. It
 * exports what it has. */
static bool is_rotated(const struct matching *m, const uint32_t *nodes, double scale)
{
    bool differs = false;
    for (uint32_t b = 0; b < m->scene->bone_count; b++) {
        const ossa_bone *bone = &m->scene->bones[b];
        const double *offset = m->motion->nodes[nodes[b]].translation;
        bool has_offset = offset[0] != 0.0 || offset[1] != 0.0 || offset[2] != 0.0;
        if (bone->parent < 0 || !has_offset) continue;
        const double rest[3] = {(double)bone->rest.translation[0],
                                (double)bone->rest.translation[1],
                                (double)bone->rest.translation[2]};
        const double rotated[3] = {rest[0], -rest[2], rest[1]};
        double most = farthest(rest, scale);
        if (distance(rotated, offset) / scale > most) return false;
        differs = differs || distance(rest, offset) / scale > most;
    }
    return differs;
}

/* BVH has no rest rotations: only the lengths of bones that have no position of their own can be
 * compared. */
static bool check_offsets(struct matching *m, const uint32_t *nodes, double scale)
{
    const struct ossa__motion *motion = m->motion;
    if (is_rotated(m, nodes, scale)) {
        return ossa__fail_nowhere(m->context, OSSA_CODE_REST_CHANGED, "",
                                  "the skeleton was rotated so that Z is up; import the BVH into "
                                  "Blender with Y Forward and Z Up, and export it again");
    }
    uint8_t *moves = ossa__take_scratch(m->context, motion->node_count, 1);
    if (moves == NULL) return false;
    memset(moves, 0, motion->node_count);
    for (uint32_t c = 0; c < motion->clip_count; c++) {
        for (uint32_t i = 0; i < motion->clips[c].curve_count; i++) {
            const struct ossa__motion_curve *curve = &motion->clips[c].curves[i];
            if (curve->target == OSSA__MOTION_TRANSLATION) moves[curve->node] = 1;
        }
    }
    for (uint32_t b = 0; b < m->scene->bone_count; b++) {
        const ossa_bone *bone = &m->scene->bones[b];
        if (bone->parent < 0 || moves[nodes[b]]) continue;
        double rest[3];
        for (unsigned k = 0; k < 3; k++) rest[k] = (double)bone->rest.translation[k];
        double length = distance(rest, motion->nodes[nodes[b]].translation) / scale;
        if (length > farthest(rest, scale)) return refuse_rest(m, b, length);
    }
    return true;
}

/* What takes the axes of a node at rest to those of its bone: a rotation, and what rounding has
 * left between their positions. Not their scales: that of a node in a pose is the whole of it, and
 * some programs have no scale at rest. False: there are no axes. */
static bool turn_axes(const struct ossa__affine *node, const struct ossa__affine *bone,
                      struct ossa__affine *axes)
{
    struct ossa__quat theirs;
    struct ossa__quat ours;
    double scale[3];
    const double one[3] = {1.0, 1.0, 1.0};
    const double moved[3] = {bone->t[0] - node->t[0], bone->t[1] - node->t[1],
                             bone->t[2] - node->t[2]};
    double left[3];
    if (!ossa__affine_split(node, &theirs, scale) || !ossa__affine_split(bone, &ours, scale)) {
        return false;
    }
    struct ossa__quat back = ossa__quat_conjugate(theirs);
    struct ossa__quat rotation = ossa__quat_multiply(back, ours);
    /* What rounding has left between them is not a rotation: it would tilt the axes of bones that
     * are long and thin by far more. */
    if (ossa__angle_between(theirs, ours) < 0.5 * OSSA__KEPT_DEGREES * OSSA__DEGREE) {
        rotation = (struct ossa__quat){0.0, 0.0, 0.0, 1.0};
    }
    ossa__quat_rotate(back, moved, left);
    *axes = ossa__affine_of(left, rotation, one);
    return true;
}

static bool is_near(const double a[3], const double b[3], double size)
{
    return distance(a, b) <= 1e-6 * size;
}

/* Is a node where its bone is at rest, as the writers leave it? */
static bool is_at_rest(const struct ossa__affine *node, const struct ossa__affine *bone)
{
    const double zero[3] = {0.0, 0.0, 0.0};
    double size = 0.0;
    for (unsigned c = 0; c < 3; c++) size = fmax(size, distance(bone->m[c], zero));
    for (unsigned c = 0; c < 3; c++) {
        if (!is_near(node->m[c], bone->m[c], size)) return false;
    }
    return is_near(node->t, bone->t, distance(bone->t, zero));
}

/* From a bone's axes to those of its node. Where the bone is scaled to nothing at rest, there are
 * none, and to nearly nothing, the matrix of the skin does not have them any more. */
static bool find_axes_of(struct matching *m, uint32_t bone, const struct ossa__affine *rest,
                         const struct ossa__motion_node *node, const struct ossa__affine *theirs,
                         double scale, struct ossa__affine *axes)
{
    struct ossa__affine bind = node->has_bind ? bind_of(node->bind) : *theirs;
    double length = distance(rest->t, bind.t) / scale;
    bool is_close = length <= farthest(rest->t, scale);
    if (is_close && turn_axes(&bind, rest, axes)) return true;
    if (is_at_rest(theirs, rest)) {
        *axes = identity;
        return true;
    }
    if (!is_close) return refuse_rest(m, bone, length);
    return ossa__fail_nowhere(m->context, OSSA_CODE_REST_CHANGED, "",
                              "'%s' is scaled to nothing at rest", m->scene->bones[bone].name);
}

/* The axes of all bones. */
static bool find_axes(struct matching *m, const uint32_t *nodes, double scale,
                      struct ossa__affine *axes)
{
    const struct ossa__motion *motion = m->motion;
    uint32_t bones = m->scene->bone_count;
    struct ossa__affine *rests = ossa__take_scratch(m->context, bones, sizeof *rests);
    struct ossa__affine *theirs = ossa__take_scratch(m->context, motion->node_count, sizeof *rests);
    if (rests == NULL || theirs == NULL) return false;
    for (uint32_t n = 0; n < motion->node_count; n++) {
        const struct ossa__motion_node *node = &motion->nodes[n];
        theirs[n] = ossa__affine_of(node->translation, node->rotation, node->scale);
        if (node->parent < 0) continue;
        theirs[n] = ossa__affine_multiply(&theirs[node->parent], &theirs[n]);
    }
    for (uint32_t b = 0; b < bones; b++) {
        const struct ossa__motion_node *node = &motion->nodes[nodes[b]];
        int32_t parent = m->scene->bones[b].parent;
        rests[b] = rest_of(&m->scene->bones[b].rest);
        if (parent >= 0) rests[b] = ossa__affine_multiply(&rests[parent], &rests[b]);
        if (!find_axes_of(m, b, &rests[b], node, &theirs[nodes[b]], scale, &axes[b])) return false;
    }
    return true;
}

/* ---- nodes --------------------------------------------------------------------------------- */

static bool is_visible_name(const char *name)
{
    size_t size = strlen(name);
    size_t end = sizeof "_visible" - 1;
    return size > end && strcmp(name + size - end, "_visible") == 0;
}

static void sort_nodes(struct matching *m, struct ossa__match *match, uint8_t *needed,
                       uint8_t *unknown)
{
    memset(needed, 0, m->motion->node_count);
    for (uint32_t b = 0; b < m->scene->bone_count; b++) {
        needed[match->nodes[b]] = 1;
        if (match->visible[b] >= 0) needed[match->visible[b]] = 1;
    }
    for (uint32_t n = m->motion->node_count; n-- > 0;) { /* children come after their parents */
        int32_t parent = m->motion->nodes[n].parent;
        if (needed[n] && parent >= 0) needed[parent] = 1;
    }
    for (uint32_t n = 0; n < m->motion->node_count; n++) {
        const struct ossa__motion_node *node = &m->motion->nodes[n];
        bool is_bone = node->is_joint || !m->motion->has_rest;
        unknown[n] = is_bone && !needed[n] && !is_visible_name(node->name);
    }
}

bool ossa__match_bones(struct ossa__context *context, const ossa_scene *scene,
                       const struct ossa__motion *motion, double scale, struct ossa__match *match)
{
    struct matching m = {.context = context, .scene = scene, .motion = motion};
    struct ossa__mark mark = ossa__scratch_mark(context);
    uint32_t *nodes = ossa__take(context, scene->bone_count, sizeof *nodes);
    int32_t *visible = ossa__take(context, scene->bone_count, sizeof *visible);
    struct ossa__affine *axes = ossa__take(context, scene->bone_count, sizeof *axes);
    uint8_t *needed = ossa__take(context, motion->node_count, 1);
    uint8_t *unknown = ossa__take(context, motion->node_count, 1);
    *match = (struct ossa__match){motion, scene, nodes, visible, axes, needed, unknown};
    if (context->failed || !index_nodes(&m) || !find_bones(&m, nodes, visible)) return false;
    if (motion->has_rest) {
        if (!find_axes(&m, nodes, scale, axes)) return false;
    } else {
        for (uint32_t b = 0; b < scene->bone_count; b++) axes[b] = identity;
        if (!check_offsets(&m, nodes, scale)) return false;
    }
    sort_nodes(&m, match, needed, unknown);
    ossa__scratch_release(context, mark);
    return !context->failed;
}

/* ---- clips --------------------------------------------------------------------------------- */

static void match_clip(int32_t *clips, int64_t clip, uint32_t c)
{
    if (clip >= 0 && clips[clip] < 0) clips[clip] = (int32_t)c;
}

/* The clip of an action CLIP_NODE; -1: it is not one. */
static int64_t clip_of_action(struct ossa__index *clips, struct ossa__index *nodes,
                              const char *action)
{
    size_t size = strlen(action);
    for (size_t i = size; i-- > 1;) {
        if (action[i] != '_') continue;
        int64_t clip = ossa__index_find(clips, action, (uint32_t)i);
        bool is_node = ossa__index_find(nodes, action + i + 1, (uint32_t)(size - i - 1)) >= 0;
        if (clip >= 0 && is_node) return clip;
    }
    return -1;
}

bool ossa__match_clips(struct ossa__context *context, const ossa_scene *scene,
                       const struct ossa__motion *motion, int32_t *clips)
{
    struct ossa__mark mark = ossa__scratch_mark(context);
    struct ossa__index by_name;
    struct ossa__index nodes;
    if (!start_index(context, &by_name, scene->clip_count) ||
        !start_index(context, &nodes, motion->node_count)) {
        return false;
    }
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const char *name = scene->clips[i].name;
        (void)ossa__index_add(&by_name, name, (uint32_t)strlen(name), i);
        clips[i] = -1;
    }
    for (uint32_t n = 0; n < motion->node_count; n++) {
        const char *name = motion->nodes[n].name;
        (void)ossa__index_add(&nodes, name, (uint32_t)strlen(name), n);
    }
    for (uint32_t c = 0; c < motion->clip_count; c++) {
        const char *name = motion->clips[c].name;
        match_clip(clips, ossa__index_find(&by_name, name, (uint32_t)strlen(name)), c);
    }
    for (uint32_t c = 0; c < motion->clip_count; c++) {
        const char *name = motion->clips[c].name;
        if (ossa__index_find(&by_name, name, (uint32_t)strlen(name)) >= 0) continue;
        match_clip(clips, clip_of_action(&by_name, &nodes, name), c);
    }
    ossa__scratch_release(context, mark);
    return true;
}
