/* SPDX-License-Identifier: MIT */
/** A coloured point. */
typedef struct ossa_sotc_dot {
    float position[3];
    uint32_t colour;
} ossa_sotc_dot;

/** sotc-dots: points. */
typedef struct ossa_sotc_dots {
    uint32_t dot_count;
    const ossa_sotc_dot *dots;
    const uint8_t *tail; /**< what follows the last point */
    size_t tail_size;
} ossa_sotc_dots;

/** A line of a note. */
typedef struct ossa_sotc_line {
    const char *word; /**< not terminated */
    uint32_t word_size;
    uint32_t number;
} ossa_sotc_line;

/** sotc-note: words and numbers. */
typedef struct ossa_sotc_note {
    uint32_t line_count;
    const ossa_sotc_line *lines;
} ossa_sotc_note;

/** The contents of a file; NULL if the file has another format. */
OSSA_API ossa_sotc_dots *ossa_as_sotc_dots(ossa_file *file);
OSSA_API ossa_sotc_note *ossa_as_sotc_note(ossa_file *file); /**< likewise */
