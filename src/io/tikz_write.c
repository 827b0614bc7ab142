/* SPDX-License-Identifier: MIT */
/* tikz_write.c - sentences in LaTeX.
 *
 * The package counts columns from the left, and so do edges; words that run to the left are written
 * in reverse.  Empty nodes have columns and no edges.  The package would make edges as high as they
 * are long; the levels of a picture are lower and keep labels apart.  Every cell stands in braces:
 * a bare [ after a line's end would be taken for an option. */
#include "io/tikz_write.h"

#include "io/picture.h"

static const char *stand_in(unsigned char c)
{
    switch (c) {
    case '\\':
        return "\\textbackslash{}";
    case '^':
        return "\\textasciicircum{}";
    case '~':
        return "\\textasciitilde{}";
    case '<':
        return "\\textless{}";
    case '>':
        return "\\textgreater{}";
    case '|':
        return "\\textbar{}";
    case '"':
        return "\\textquotedblright{}";
    case '&': /* \& would begin a column */
        return "\\symbol{38}";
    case '{':
        return "\\{";
    case '}':
        return "\\}";
    case '$':
        return "\\$";
    case '#':
        return "\\#";
    case '%':
        return "\\%";
    case '_':
        return "\\_";
    default:
        return c < 0x20 || c == 0x7f ? "?" : NULL;
    }
}

static void put_escaped(ddn_output *o, dodona_text t)
{
    for (size_t i = 0; i < t.size; i++) {
        const char *in_place = stand_in((unsigned char)t.data[i]);
        if (in_place)
            ddn_puts(o, in_place);
        else
            ddn_put(o, t.data + i, 1);
    }
}

enum { LEVEL = 3 }; /* height of a level, in heights of an x */

typedef enum line { FORMS, TAGS, TOKENS } line;

/* The multiword token that begins with this column, or NULL. */
static const ddn_row *token_at(const ddn_picture *l, const ddn_column *c)
{
    const ddn_row *before = c->row ? &l->s->row[c->row - 1] : NULL;
    return before && before->kind == DDN_ROW_RANGE ? before : NULL;
}

static void put_cell(ddn_output *o, const ddn_picture *l, const ddn_column *c, line which)
{
    const ddn_row *row = &l->s->row[c->row], *token = token_at(l, c);
    if (which == FORMS) {
        ddn_puts(o, c->word ? "{" : "{\\textit{[");
        put_escaped(o, ddn_sentence_span(l->s, row->col[DDN_FORM]));
        ddn_puts(o, c->word ? "}" : "]}}");
        return;
    }
    ddn_puts(o, which == TAGS ? "{\\small " : "{\\small\\itshape ");
    if (which == TAGS)
        put_escaped(o, ddn_row_tag(l->s, row));
    else if (token)
        put_escaped(o, ddn_sentence_span(l->s, token->col[DDN_FORM]));
    ddn_puts(o, "}");
}

static void put_line(ddn_output *o, const ddn_picture *l, line which)
{
    for (int32_t c = 0; c < l->columns; c++) {
        if (c)
            ddn_puts(o, " \\& ");
        put_cell(o, l, &l->column[l->rtl ? l->columns - 1 - c : c], which);
    }
    ddn_puts(o, " \\\\\n");
}

/* The column of a word, from 1 at the left, in braces. */
static void put_place(ddn_output *o, const ddn_picture *l, int32_t word)
{
    int32_t c = l->column_of[word];
    ddn_puts(o, "{");
    ddn_put_int(o, l->rtl ? l->columns - c : c + 1);
    ddn_puts(o, "}");
}

static void put_arc(ddn_output *o, const ddn_picture *l, const ddn_bow *a)
{
    ddn_puts(o, a->head ? "\\depedge" : "\\deproot");
    ddn_puts(o, "[edge height=");
    ddn_put_int(o, LEVEL * l->piece[a->piece].level + !a->head);
    ddn_puts(o, "ex]");
    if (a->head)
        put_place(o, l, a->head);
    put_place(o, l, a->child);
    ddn_puts(o, "{");
    put_escaped(o, ddn_sentence_column(l->s, a->child, DDN_DEPREL));
    ddn_puts(o, "}\n");
}

/* A frame round the words of each multiword token. */
static void put_groups(ddn_output *o, const ddn_picture *l)
{
    for (int32_t c = 0; c < l->columns; c++) {
        const ddn_row *token = token_at(l, &l->column[c]);
        if (!token)
            continue;
        ddn_puts(o, "\\wordgroup{1}");
        put_place(o, l, l->rtl ? token->minor : token->id);
        put_place(o, l, l->rtl ? token->id : token->minor);
        ddn_puts(o, "{token");
        ddn_put_int(o, token->id);
        ddn_puts(o, "}\n");
    }
}

int ddn_tikz_put(ddn_picture *scratch, ddn_output *o, const ddn_sentence *s, dodona_error *err)
{
    if (s->n == 0)
        return 0;
    int code = ddn_picture_make(scratch, s, NULL, err);
    if (!code)
        code = ddn_picture_break(scratch, 0, err);
    if (code)
        return code;
    bool tokens = false;
    for (int32_t c = 0; c < scratch->columns; c++)
        tokens = tokens || token_at(scratch, &scratch->column[c]);
    ddn_puts(o, "\\begin{dependency}\n\\begin{deptext}[column sep=1em]\n");
    put_line(o, scratch, FORMS);
    put_line(o, scratch, TAGS);
    if (tokens)
        put_line(o, scratch, TOKENS);
    ddn_puts(o, "\\end{deptext}\n");
    for (int32_t k = 0; k < scratch->arcs; k++)
        put_arc(o, scratch, &scratch->arc[k]);
    put_groups(o, scratch);
    ddn_puts(o, "\\end{dependency}\n\n");
    return 0;
}
