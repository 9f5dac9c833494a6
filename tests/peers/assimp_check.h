/* SPDX-License-Identifier: MIT
 *
 * The parts of assimp_check: what assimp makes of our files, against what prepare.sh made. */
#ifndef ASSIMP_CHECK_H
#define ASSIMP_CHECK_H

#include <assimp/scene.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#define TOLERANCE 1e-4 /* of the figure's size */

/* ---- what is expected (assimp_expect.c) ---------------------------------------------------- */

/* A figure of prepare.sh. `clips` is an object: the name of a clip, and an array of its poses. */
typedef struct peer_figure {
    char name[64];
    char folder[512]; /* of prepare.sh; the GLB is NAME.glb in it */
    json_t *document; /* the JSON of the GLB */
    json_t *clips;
    json_t *cameras; /* those of the scene's JSON, with their keys */
} peer_figure;

bool figure_read(const char *folder, const char *name, peer_figure *out);
void figure_free(peer_figure *figure);
/* The glTF node of the bone of that number. */
const json_t *figure_joint(const peer_figure *figure, size_t bone);
/* The diagonal of the box around all bones in all poses. */
double clip_size(const json_t *poses);
/* Move one bone of the middle pose, or with -1 back again. */
void clip_damage(const json_t *poses, int direction);
double clip_fps(const peer_figure *figure, const char *clip);
bool figure_hides(const peer_figure *figure);
/* Some bone has another name as a node. */
bool figure_renames(const peer_figure *figure);
/* A number of a glTF object, or what the specification says when it is not there. */
long long number_of(const json_t *object, const char *key, long long otherwise);
const char *string_of(const json_t *object, const char *key);

/* ---- what assimp has (assimp_pose.c) ------------------------------------------------------- */

/* All nodes, parents before children. */
typedef struct node_list {
    const struct aiNode **nodes;
    size_t count;
} node_list;

bool nodes_collect(const struct aiScene *scene, node_list *out);
void nodes_free(node_list *list);
const struct aiNode *nodes_find(const node_list *list, const char *name);

/* Where a node is at a time in ticks, and how far that is from a place. */
struct aiMatrix4x4 node_world(const struct aiNode *node, const struct aiAnimation *animation,
                              double time);
double distance_to(const struct aiMatrix4x4 *matrix, const json_t *place);

typedef struct pose_comparison {
    const peer_figure *figure;
    const json_t *poses;
    const node_list *nodes;
    const struct aiAnimation *animation;
    double fps;
    bool is_scaled;    /* hidden objects have scale 0; else they stay in sight */
    double worst;      /* in sizes of the figure */
    double worst_axis; /* in lengths of an axis */
} pose_comparison;

/* Put every bone where the keys of each frame have it; complain when a pose has it elsewhere. */
bool compare_poses(pose_comparison *comparison);

/* ---- the checks ---------------------------------------------------------------------------- */

/* Facts, a line of JSON each, for tools/interop.js. */
typedef struct peer_results {
    FILE *file;
    const char *program;
} peer_results;

void result_add(const peer_results *results, const peer_figure *figure, const char *fact,
                const char *outcome, const double *worst);
/* Say what is wrong; always false. */
bool complain(const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2)))
#endif
    ;
/* A comparison that is to fail complains in vain. */
void complaints_silence(bool silent);

bool check_gltf(peer_figure *figure, const peer_results *results); /* assimp_gltf.c */
/* Cameras go their way in an animation of their own. (assimp_camera.c) */
bool check_cameras(const peer_figure *figure, const struct aiScene *scene, const node_list *list,
                   const peer_results *results);
bool check_bvh(peer_figure *figure, const peer_results *results); /* assimp_bvh.c */
bool check_shapes(const char *files);                             /* assimp_shapes.c */

#endif
