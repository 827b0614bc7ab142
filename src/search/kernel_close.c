/* SPDX-License-Identifier: MIT */
/* kernel_close.c - adds addresses to a layout until all of it can be computed after every move.
 *
 * For each transition type and each address, the place of the word after the move in the views
 * before it:
 *   s_t      a push: s_{t-1} of Q, and s0 is q0.  Otherwise s_t of P, but s0 of Q where the top
 *            stays and s1 goes
 *   q_k      the next words, whatever came before
 *   .lc etc. the same link of where the word was.  If the arc of the move makes the word a head:
 *            the outermost child on that side is the word that goes, the second was the outermost,
 *            and the innermost is the word that goes if there was none
 *   .h       of a child the word it was found from; of s_t, where stack elements can have heads,
 *            s_{t+1} if it has one; an address from there is one from s_{t+1}
 *   .next    the same of where the word was
 * What is needed before the move is entered into the layout, with all that is read of the word, and
 * so on until nothing is missing.  Added addresses are no longer than those that need them, so this
 * ends; a layout that would have too many is refused.
 *
 * Three things can't be computed from two views.  The tree around a neighbour in the sentence, for
 * the neighbour may be anywhere.  What belongs to moves with a position.  And, where an arc is made
 * before its child is complete, the tree below a right child of s1 and deeper: that child may still
 * be on the stack and grow while P is long past. */
#include "search/kernel.h"

#include <string.h>

enum { P, Q };

/* What is read of a word: sources as bits, then these. */
#define READS_WORD     (UINT64_C(1) << 48)
#define READS_THERE    (UINT64_C(1) << 49)
#define READS_LABEL    (UINT64_C(1) << 50)
#define READS_VALENCY  (UINT64_C(1) << 51) /* two bits: left, right */
#define READS_SET      (UINT64_C(1) << 53) /* two bits */
#define READS_CHILDREN (UINT64_C(15) << 51)
#define READS_TREE     (READS_LABEL | READS_CHILDREN)
#define READS_SOURCES  (READS_WORD - 1)

typedef struct closing {
    ddn_kernel *k;
    const ddn_joining *joining;
    const ddn_reads *reads;
    uint64_t read[DDN_MAX_SLOTS];
    int cause[DDN_MAX_SLOTS];      /* the atom that wants it; -1: no template does */
    int tree_cause[DDN_MAX_SLOTS]; /* and the one that reads the tree there */
    bool changed, full;
    bool early_arcs;   /* a push makes an arc */
    bool buffer_grows; /* an arc gives q0 a child */
    dodona_error *err;
} closing;

/* ---- Words for a refusal ---- */

static int refuse(const closing *c, int slot, int cause, const char *why)
{
    char name[512];
    if (cause < 0)
        ddn_layout_describe(&c->k->layout, slot, name, sizeof name);
    else
        c->reads->describe(c->reads->of, cause, name, sizeof name);
    return ddn_fail(c->err, DODONA_E_ARGUMENT, "dynamic programming over %s can't know %s%s%s: %s",
                    c->k->system->name, cause < 0 ? "'" : "", name, cause < 0 ? "'" : "", why);
}

/* ---- Addresses ---- */

static int add(closing *c, ddn_address a, int cause)
{
    int before = c->k->layout.slots;
    int slot = ddn_layout_add(&c->k->layout, a);
    if (slot < 0) {
        c->full = true;
        return 0;
    }
    if (slot == before) {
        c->read[slot] = 0;
        c->cause[slot] = cause;
        c->tree_cause[slot] = -1;
        c->changed = true;
    }
    return slot;
}

static int add_start(closing *c, int link, int index, int cause)
{
    if (index > DDN_MAX_INDEX) {
        c->full = true;
        return 0;
    }
    return add(c, (ddn_address){ .link = (uint8_t)link, .index = (uint8_t)index, .from = -1 },
               cause);
}

static int add_link(closing *c, int from, int link, int cause)
{
    return add(c, (ddn_address){ .link = (uint8_t)link, .from = (int8_t)from }, cause);
}

/* All that is read of it, or a part, is wanted of slot for the sake of slot x. */
static void need(closing *c, int x, int slot, uint64_t reads)
{
    if (c->tree_cause[slot] < 0 && (reads & READS_TREE))
        c->tree_cause[slot] = c->tree_cause[x];
    c->changed |= (c->read[slot] | reads) != c->read[slot];
    c->read[slot] |= reads;
}

static bool is_child_link(int link)
{
    return link >= DDN_LINK_FAR_LEFT && link <= DDN_LINK_NEAR_RIGHT;
}

static bool is_neighbour(int link)
{
    return link == DDN_LINK_PREV || link == DDN_LINK_NEXT;
}

/* ---- Where an address is found ---- */

static ddn_origin copy(int view, int slot)
{
    return (ddn_origin){ .how = DDN_ORIGIN_COPY, .view = (uint8_t)view, .slot = (uint8_t)slot };
}

/* A link of slot in one of the views. */
static ddn_origin follow(closing *c, int view, int slot, int link, int cause)
{
    ddn_address a = c->k->layout.address[slot];
    bool left =
        link == DDN_LINK_FAR_LEFT || link == DDN_LINK_FAR_LEFT2 || link == DDN_LINK_NEAR_LEFT;
    if (a.from < 0 && a.link == DDN_LINK_BUFFER && is_child_link(link) &&
        !(c->buffer_grows && a.index == 0 && left))
        return (ddn_origin){ .how = DDN_ORIGIN_NOTHING };
    return copy(view, add_link(c, slot, link, cause));
}

static ddn_origin trace_start(closing *c, int kind, int x)
{
    ddn_address a = c->k->layout.address[x];
    int cause = c->cause[x];
    if (a.link == DDN_LINK_BUFFER)
        return (ddn_origin){ .how = DDN_ORIGIN_BUFFER };
    if (c->joining->effect[kind].pushes && a.index == 0) {
        ddn_origin o = copy(Q, c->k->q0);
        o.child = c->joining->effect[kind].arc;
        return o;
    }
    if (c->joining->effect[kind].pushes)
        return copy(Q, add_start(c, DDN_LINK_STACK, a.index - 1, cause));
    if (a.index == 0 && c->joining->effect[kind].head == DDN_JOINT_S0)
        return copy(Q, x);
    return copy(P, x);
}

/* The head of the word that slot from of the new view has. */
static ddn_origin trace_head(closing *c, const struct ddn_plan *plan, int x)
{
    int from = c->k->layout.address[x].from;
    ddn_address a = c->k->layout.address[from];
    ddn_origin o = { .how = DDN_ORIGIN_SAME, .test = (uint8_t)from };
    if (a.from < 0) {
        if (a.link != DDN_LINK_STACK || !c->early_arcs)
            return (ddn_origin){ .how = DDN_ORIGIN_NOTHING };
        o.how = DDN_ORIGIN_SAME_IF_HEADED;
        o.test = a.index;
        o.slot = (uint8_t)add_start(c, DDN_LINK_STACK, a.index + 1, c->cause[x]);
        c->k->headed |= (uint16_t)(1u << a.index);
    } else if (is_child_link(a.link)) {
        o.slot = (uint8_t)a.from;
    } else {
        if (plan->origin[from].how == DDN_ORIGIN_NOTHING)
            return (ddn_origin){ .how = DDN_ORIGIN_NOTHING };
        o.slot = (uint8_t)add_link(c, plan->origin[from].slot, DDN_LINK_HEAD, c->cause[x]);
    }
    return o;
}

/* A link of a word that gets a child on that side. */
static ddn_origin trace_gain(closing *c, const struct ddn_plan *plan, ddn_origin parent, int x)
{
    int link = c->k->layout.address[x].link, cause = c->cause[x];
    bool left = plan->side == DDN_LEFT;
    int far = left ? DDN_LINK_FAR_LEFT : DDN_LINK_FAR_RIGHT;
    int child = plan->child_view < 2 ? c->k->s0 : c->k->q0, view = plan->child_view % 2;
    if (link == far) {
        ddn_origin o = copy(view, child);
        o.child = true;
        return o;
    }
    if (link == (left ? DDN_LINK_FAR_LEFT2 : DDN_LINK_FAR_RIGHT2))
        return follow(c, parent.view, parent.slot, far, cause);
    ddn_origin o = follow(c, parent.view, parent.slot, link, cause);
    if (link == (left ? DDN_LINK_NEAR_LEFT : DDN_LINK_NEAR_RIGHT) && o.how == DDN_ORIGIN_COPY) {
        o.how = DDN_ORIGIN_EITHER;
        o.test = o.slot;
        o.other_view = (uint8_t)view;
        o.other = (uint8_t)child;
        o.child = true;
    }
    return o;
}

static ddn_origin trace_link(closing *c, const struct ddn_plan *plan, int x)
{
    ddn_address a = c->k->layout.address[x];
    ddn_origin parent = plan->origin[(int)a.from], o;
    int cause = c->cause[x];
    if (a.link == DDN_LINK_HEAD)
        return trace_head(c, plan, x);
    switch (parent.how) {
    case DDN_ORIGIN_NOTHING:
        return parent;
    case DDN_ORIGIN_BUFFER:
    case DDN_ORIGIN_NEIGHBOUR:
        if (is_neighbour(a.link))
            return (ddn_origin){ .how = DDN_ORIGIN_NEIGHBOUR };
        parent = copy(Q, a.from); /* q0 as it was */
        break;
    case DDN_ORIGIN_EITHER:
        o = follow(c, parent.view, parent.slot, a.link, cause);
        parent.slot = o.slot;
        parent.other = follow(c, parent.other_view, parent.other, a.link, cause).slot;
        parent.child = false;
        return parent;
    case DDN_ORIGIN_SAME:
    case DDN_ORIGIN_SAME_IF_HEADED:
        return (ddn_origin){ .how = DDN_ORIGIN_SAME,
                             .slot = (uint8_t)add_link(c, parent.slot, a.link, cause),
                             .test = (uint8_t)a.from };
    default:
        break;
    }
    if (a.from == plan->head)
        return trace_gain(c, plan, parent, x);
    return follow(c, parent.view, parent.slot, a.link, cause);
}

/* q0 is another word after a push. */
static bool is_fresh(const closing *c, int kind, int x)
{
    ddn_address a = c->k->layout.address[x];
    return c->joining->effect[kind].pushes && a.from == c->k->q0 && is_child_link(a.link);
}

static void want_origins(closing *c, int kind, int x)
{
    const struct ddn_plan *plan = &c->k->plan[kind];
    ddn_origin o = plan->origin[x];
    uint64_t reads = c->read[x];
    bool labels = c->k->system->kind[kind].makes_arc;
    uint64_t of_child = o.child && labels ? reads & ~READS_LABEL : reads;
    if (o.how == DDN_ORIGIN_COPY) {
        need(c, x, o.slot, of_child);
    } else if (o.how == DDN_ORIGIN_EITHER) {
        need(c, x, o.slot, reads);
        need(c, x, o.other, of_child);
        need(c, x, o.test, READS_THERE);
    } else if (o.how == DDN_ORIGIN_SAME || o.how == DDN_ORIGIN_SAME_IF_HEADED) {
        need(c, x, o.slot, reads);
    }
    if (x == plan->head && !labels && (reads & READS_SET << plan->side))
        need(c, x, c->k->s0, READS_LABEL);
}

static void trace(closing *c, int kind, int x)
{
    struct ddn_plan *plan = &c->k->plan[kind];
    if (is_fresh(c, kind, x))
        plan->origin[x] = (ddn_origin){ .how = DDN_ORIGIN_NOTHING };
    else if (c->k->layout.address[x].from < 0)
        plan->origin[x] = trace_start(c, kind, x);
    else
        plan->origin[x] = trace_link(c, plan, x);
    want_origins(c, kind, x);
}

/* ---- What can't be known ---- */

static int check_slot(const closing *c, int x)
{
    const ddn_layout *l = &c->k->layout;
    ddn_address a = l->address[x];
    bool tree = (c->read[x] & READS_TREE) != 0;
    int cause = tree ? c->tree_cause[x] : c->cause[x];
    if (a.from < 0)
        return a.link == DDN_LINK_STACK || a.link == DDN_LINK_BUFFER
                   ? DODONA_OK
                   : refuse(c, x, cause,
                            "it belongs to arcs, to moves with a position or to focus words");
    ddn_address from = l->address[(int)a.from];
    if ((is_neighbour(from.link) && !is_neighbour(a.link)) || (is_neighbour(a.link) && tree))
        return refuse(c, x, cause, "it reads the tree around a neighbour in the sentence");
    if (!c->early_arcs)
        return DODONA_OK;
    bool grows = (c->read[x] & READS_CHILDREN) != 0;
    if (is_child_link(a.link) && from.from >= 0) { /* below a child of something */
        grows = true;
        a = from;
        from = l->address[(int)a.from];
    }
    bool right = a.link == DDN_LINK_FAR_RIGHT || a.link == DDN_LINK_NEAR_RIGHT;
    if (grows && right && from.from < 0 && from.link == DDN_LINK_STACK && from.index > 0)
        return refuse(c, x, cause, "it reads the tree below a word that may not be complete yet");
    return DODONA_OK;
}

/* ---- Building ---- */

static void read_atoms(closing *c)
{
    const ddn_reads *t = c->reads;
    const ddn_layout *layout = &c->k->layout;
    for (int i = t->atoms - 1; i >= 0; i--) {
        const ddn_atom *a = &t->atom[i];
        uint64_t reads = 0;
        if (a->kind == DDN_ATOM_WORD)
            reads = UINT64_C(1) << a->detail;
        else if (a->kind == DDN_ATOM_LABEL)
            reads = READS_LABEL;
        else if (a->kind == DDN_ATOM_VALENCY)
            reads = READS_VALENCY << a->detail;
        else if (a->kind == DDN_ATOM_SET)
            reads = READS_SET << a->detail;
        else
            c->read[a->detail] |= reads = READS_WORD;
        c->read[a->slot] |= reads;
        if (reads & READS_TREE)
            c->tree_cause[a->slot] = i;
        for (int slot = a->slot; slot >= 0; slot = layout->address[slot].from)
            c->cause[slot] = i;
        for (int slot = a->kind == DDN_ATOM_DISTANCE ? a->detail : -1; slot >= 0;
             slot = layout->address[slot].from)
            c->cause[slot] = i;
    }
}

static void read_layout(closing *c)
{
    for (int i = 0; i < c->k->layout.slots; i++) {
        uint8_t wants = c->k->layout.address[i].wants;
        c->read[i] = READS_WORD;
        c->read[i] |= wants & DDN_WANTS_LABEL ? READS_LABEL : 0;
        c->read[i] |= wants & DDN_WANTS_VALENCY ? READS_VALENCY * 3 : 0;
        c->read[i] |= wants & DDN_WANTS_SET ? READS_SET * 3 : 0;
    }
}

static void plan_arc(closing *c, int kind)
{
    struct ddn_plan *plan = &c->k->plan[kind];
    bool pushes = c->joining->effect[kind].pushes;
    uint8_t head = c->joining->effect[kind].head, child = c->joining->effect[kind].child;
    plan->head = -1;
    if (pushes && !c->joining->effect[kind].arc)
        return;
    plan->side = child < head ? DDN_LEFT : DDN_RIGHT;
    if (pushes)
        plan->head = c->k->s1;
    else
        plan->head = head == DDN_JOINT_Q0 ? c->k->q0 : c->k->s0;
    plan->child_view = child == DDN_JOINT_Q0 ? 2 + Q : child == DDN_JOINT_S0 ? Q : P;
}

static int close_layout(closing *c)
{
    ddn_kernel *k = c->k;
    do {
        c->changed = false;
        for (int kind = 0; kind < k->system->kinds; kind++)
            for (int x = 0; x < k->layout.slots; x++) {
                int status = check_slot(c, x);
                if (status < 0)
                    return status;
                trace(c, kind, x);
                if (c->full)
                    return refuse(c, x, c->cause[x],
                                  "to know it after every move takes too many addresses");
            }
    } while (c->changed);
    return DODONA_OK;
}

static bool is_same(const struct ddn_plan *plan, int x)
{
    return plan->origin[x].how == DDN_ORIGIN_SAME ||
           plan->origin[x].how == DDN_ORIGIN_SAME_IF_HEADED;
}

/* Those that are the same as another of the new view come last, and after it. */
static void plan_order(const ddn_kernel *k, struct ddn_plan *plan)
{
    bool done[DDN_MAX_SLOTS] = { false };
    int count = 0;
    for (int x = 0; x < k->layout.slots; x++)
        if (!is_same(plan, x)) {
            done[x] = true;
            plan->order[count++] = (uint8_t)x;
        }
    plan->own = count;
    while (count < k->layout.slots)
        for (int x = 0; x < k->layout.slots; x++) {
            ddn_origin o = plan->origin[x];
            if (done[x] || !done[o.slot] || (o.how == DDN_ORIGIN_SAME && !done[o.test]))
                continue;
            done[x] = true;
            plan->order[count++] = (uint8_t)x;
        }
}

static int find_set(ddn_kernel *k, uint64_t sources)
{
    int i = 0;
    while (i < k->sets && k->set[i] != sources)
        i++;
    if (i == k->sets)
        k->set[k->sets++] = sources;
    return i;
}

static void add_part(ddn_kernel *k, int what, int slot, int detail)
{
    k->part[k->parts++] = (struct ddn_part){ (uint8_t)what, (uint8_t)slot, (uint8_t)detail };
    k->size += what == DDN_PART_SET ? 2 : 1;
}

/* The buffer's words are known by the next one. */
static bool is_of_buffer(const ddn_layout *l, int x)
{
    while (l->address[x].from >= 0 && is_neighbour(l->address[x].link))
        x = l->address[x].from;
    return l->address[x].from < 0 && l->address[x].link == DDN_LINK_BUFFER;
}

static void plan_signature(closing *c)
{
    ddn_kernel *k = c->k;
    k->size = DDN_KERNEL_OWN;
    k->words_only = true;
    for (int x = 0; x < k->layout.slots; x++) {
        uint64_t reads = c->read[x], sources = reads & READS_SOURCES;
        if (is_of_buffer(&k->layout, x))
            reads &= ~(READS_WORD | READS_THERE), sources = 0;
        if (reads & READS_WORD)
            add_part(k, DDN_PART_WORD, x, 0);
        else if (sources)
            add_part(k, DDN_PART_CLASS, x, find_set(k, sources));
        else if (reads & READS_THERE)
            add_part(k, DDN_PART_THERE, x, 0);
        k->words_only &= !(reads & READS_TREE);
        if (reads & READS_LABEL)
            add_part(k, DDN_PART_LABEL, x, 0);
        for (int side = 0; side < 2; side++) {
            if (reads & READS_VALENCY << side)
                add_part(k, DDN_PART_VALENCY, x, side);
            if (reads & READS_SET << side)
                add_part(k, DDN_PART_SET, x, side);
        }
        ddn_address *a = &k->layout.address[x];
        a->wants |= reads & READS_LABEL ? DDN_WANTS_LABEL : 0;
        a->wants |= reads & (READS_VALENCY * 3) ? DDN_WANTS_VALENCY : 0;
        a->wants |= reads & (READS_SET * 3) ? DDN_WANTS_SET : 0;
    }
}

static void start_closing(closing *c)
{
    ddn_kernel *k = c->k;
    for (int i = 0; i < DDN_MAX_SLOTS; i++)
        c->cause[i] = c->tree_cause[i] = -1;
    if (c->reads)
        read_atoms(c);
    else
        read_layout(c);
    for (int kind = 0; kind < k->system->kinds; kind++) {
        c->early_arcs |= c->joining->effect[kind].pushes && c->joining->effect[kind].arc;
        c->buffer_grows |=
            !c->joining->effect[kind].pushes && c->joining->effect[kind].head == DDN_JOINT_Q0;
    }
    k->s0 = add_start(c, DDN_LINK_STACK, 0, -1);
    k->s1 = add_start(c, DDN_LINK_STACK, 1, -1);
    k->q0 = add_start(c, DDN_LINK_BUFFER, 0, -1);
    k->headed = c->early_arcs;
    need(c, k->s0, k->s0, READS_WORD);
    for (int kind = 0; kind < k->system->kinds; kind++)
        plan_arc(c, kind);
}

int ddn_kernel_init(ddn_kernel *k, const ddn_system *system, const ddn_layout *layout,
                    const ddn_reads *reads, dodona_error *err)
{
    if (!system->joining)
        return ddn_fail(err, DODONA_E_ARGUMENT, "there is no dynamic programming over %s",
                        system->name);
    memset(k, 0, sizeof *k);
    k->system = system;
    k->layout = *layout;
    closing c = { .k = k, .joining = system->joining, .reads = reads, .err = err };
    start_closing(&c);
    if (c.full)
        return refuse(&c, 0, c.cause[0],
                      "there is no room for s0, s1 and q0 beside the templates' addresses");
    int status = close_layout(&c);
    if (status < 0)
        return status;
    for (int kind = 0; kind < system->kinds; kind++)
        plan_order(k, &k->plan[kind]);
    plan_signature(&c);
    return DODONA_OK;
}
