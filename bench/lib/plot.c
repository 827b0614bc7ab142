/* SPDX-License-Identifier: MIT */
#include "lib/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 640, HEIGHT = 420, LEFT = 70, RIGHT = 120, TOP = 40, BOTTOM = 50 };

typedef struct frame {
    double x_min, x_max, low, high; /* low, high: powers of ten */
} frame;

static double at_x(const frame *f, double x)
{
    return LEFT + (x - f->x_min) / (f->x_max - f->x_min) * (WIDTH - LEFT - RIGHT);
}

static double at_y(const frame *f, double y)
{
    return HEIGHT - BOTTOM - (log10(y) - f->low) / (f->high - f->low) * (HEIGHT - TOP - BOTTOM);
}

static frame frame_of(const bench_curve *curve, int curves)
{
    frame f = { INFINITY, -INFINITY, INFINITY, -INFINITY };
    for (int c = 0; c < curves; c++)
        for (int i = 0; i < curve[c].points; i++) {
            f.x_min = fmin(f.x_min, curve[c].x[i]);
            f.x_max = fmax(f.x_max, curve[c].x[i]);
            f.low = fmin(f.low, floor(log10(curve[c].y[i])));
            f.high = fmax(f.high, ceil(log10(curve[c].y[i])));
        }
    if (!(f.x_max > f.x_min))
        f.x_max = f.x_min + 1;
    if (!(f.high > f.low))
        f.high = f.low + 1;
    return f;
}

static void put_axes(FILE *out, const frame *f)
{
    for (int p = (int)f->low; p <= (int)f->high; p++) {
        double y = at_y(f, pow(10, p));
        fprintf(out, "<path d='M%d %.1fH%d' stroke='#ddd'/>\n", LEFT, y, WIDTH - RIGHT);
        fprintf(out,
                "<text x='%d' y='%.1f' text-anchor='end'>10<tspan dy='-5' font-size='9'>%d"
                "</tspan></text>\n",
                LEFT - 6, y + 4, p);
    }
    double step = pow(10, floor(log10(f->x_max - f->x_min)));
    for (double x = ceil(f->x_min / step) * step; x <= f->x_max; x += step)
        fprintf(out, "<text x='%.1f' y='%d' text-anchor='middle'>%g</text>\n", at_x(f, x),
                HEIGHT - BOTTOM + 18, x);
    fprintf(out, "<path d='M%d %dV%dH%d' fill='none' stroke='#000'/>\n", LEFT, TOP, HEIGHT - BOTTOM,
            WIDTH - RIGHT);
}

static void put_curve(FILE *out, const frame *f, const bench_curve *c, int number)
{
    static const char *const colour[] = { "#1b6ca8", "#c0392b", "#27804a", "#8e44ad", "#b9770e" };
    const char *paint = colour[number % 5];
    fprintf(out, "<path fill='none' stroke-width='2' stroke='%s' d='", paint);
    for (int i = 0; i < c->points; i++)
        fprintf(out, "%c%.1f %.1f", i ? 'L' : 'M', at_x(f, c->x[i]), at_y(f, c->y[i]));
    fprintf(out, "'/>\n<text x='%d' y='%d' fill='%s'>%s</text>\n", WIDTH - RIGHT + 8,
            TOP + 16 + 18 * number, paint, c->name);
}

void bench_plot(const char *path, const char *title, const char *x_label, const char *y_label,
                const bench_curve *curve, int curves)
{
    frame f = frame_of(curve, curves);
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        exit(1);
    }
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' "
            "font-size='12'>\n<rect width='100%%' height='100%%' fill='#fff'/>\n",
            WIDTH, HEIGHT);
    fprintf(out, "<text x='%d' y='22' font-size='14'>%s</text>\n", LEFT, title);
    fprintf(out, "<text x='%d' y='%d' text-anchor='middle'>%s</text>\n",
            LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 12, x_label);
    fprintf(out, "<text transform='translate(16,%d) rotate(-90)' text-anchor='middle'>%s</text>\n",
            (TOP + HEIGHT - BOTTOM) / 2, y_label);
    put_axes(out, &f);
    for (int c = 0; c < curves; c++)
        if (curve[c].points > 0)
            put_curve(out, &f, &curve[c], c);
    fprintf(out, "</svg>\n");
    if (fclose(out) != 0) {
        perror(path);
        exit(1);
    }
}
