/* SPDX-License-Identifier: MIT */
/* mlp.c - a linear layer, the leaky rectifier and dropout. */
#include "net/heads.h"

bool ddn_mlp_forward(const ddn_net *n, const ddn_linear *l, const float *x, size_t rows,
                     ddn_learning *learning, ddn_tape *tape, ddn_mlp_pass *pass)
{
    pass->y = ddn_tape_take(tape, rows * l->out);
    pass->mask = learning ? ddn_tape_take(tape, rows * l->out) : NULL;
    if (!pass->y || (learning && !pass->mask))
        return false;
    ddn_linear_forward(n, l, x, rows, pass->y);
    ddn_leaky_forward(pass->y, rows * l->out);
    if (learning)
        ddn_dropout_forward(learning, pass->y, rows * l->out, pass->mask);
    return true;
}

/* Where dropout made y 0, the adjoint is 0 too, and the sign of y does not matter. */
void ddn_mlp_backward(const ddn_net *n, const ddn_linear *l, const float *x, size_t rows,
                      const ddn_mlp_pass *pass, float *dy, float *dx)
{
    if (pass->mask)
        ddn_dropout_backward(pass->mask, rows * l->out, dy);
    ddn_leaky_backward(pass->y, rows * l->out, dy);
    ddn_linear_backward(n, l, x, dy, rows, dx);
}
