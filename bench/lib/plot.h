/* SPDX-License-Identifier: MIT */
/* plot.h - curves in an SVG file: x linear, y logarithmic. */
#ifndef DDN_BENCH_PLOT_H
#define DDN_BENCH_PLOT_H

typedef struct bench_curve {
    const char *name;
    const double *x, *y; /* [points] y > 0 */
    int points;
} bench_curve;

/* Writes the file, or stops the program. */
void bench_plot(const char *path, const char *title, const char *x_label, const char *y_label,
                const bench_curve *curve, int curves);

#endif
