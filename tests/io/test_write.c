/* SPDX-License-Identifier: MIT */
/* Text, JSON and drawings of sentences, each against one written by hand. */
#include "io/conll.h"
#include "io/displacy_write.h"
#include "io/draw.h"
#include "io/json_write.h"
#include "io/text_write.h"
#include "lib/check.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "tree/tree.h"
#include <stdio.h>
#include <stdlib.h>

typedef enum writer { TEXT, JSON, DISPLACY, TREE } writer;

/* All sentences of data, written. */
static char *write_all(const char *data, size_t size, writer w, bool skip_bad)
{
    test_memory m = { data, size, 0, 0 };
    ddn_input *in;
    ddn_conll_reader *r;
    ddn_output o;
    ddn_sentence s;
    ddn_json_place place = { 0 };
    ddn_draw *d = ddn_draw_new();
    assert_non_null(d);
    ddn_sentence_init(&s);
    ddn_output_memory(&o);
    assert_int_equal(ddn_input_callback(&in, test_memory_read, &m, "f", NULL), 0);
    assert_int_equal(ddn_conll_open(&r, in, DODONA_CONLLU, DODONA_CHECK_FORM, skip_bad, NULL), 0);
    while (ddn_conll_next(r, &s, NULL) == 1)
        if (w == TEXT) {
            ddn_text_put(&o, &s);
            ddn_puts(&o, "\n");
        } else if (w == JSON) {
            ddn_json_put(&place, &o, &s);
        } else if (w == DISPLACY) {
            ddn_displacy_put(&o, &s);
        } else {
            assert_int_equal(ddn_draw_put(d, &o, &s, NULL, NULL), 0);
        }
    ddn_put(&o, "", 1);
    assert_int_equal(o.error.code, 0);
    ddn_conll_close(r);
    ddn_sentence_fini(&s);
    ddn_json_place_fini(&place);
    ddn_draw_free(d);
    return o.data;
}

static void gives(const char *data, writer w, const char *want)
{
    char *got = write_all(data, strlen(data), w, true);
    assert_string_equal(got, want);
    free(got);
}

static const char no_se[] = "# sent_id = a-1\n"
                            "0.1\tyo\tyo\tPRON\t_\t_\t_\t_\t2:nsubj\t_\n"
                            "1\t\"No\"\t_\tADV\t_\t_\t2\tadvmod\t2:advmod\t_\n"
                            "2-3\tséa\\\t_\t_\t_\t_\t_\t_\t_\tX=1|SpaceAfter=No\n"
                            "2\tsé\tsaber\tVERB\t_\t_\t0\troot\t_\t_\n"
                            "3\ta\ta\tADP\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
                            "4\t_\t_\tPUNCT\t\x01\x1f\t_\t2\tpunct\t_\t_\n"
                            "5\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n";

static void text(void **state)
{
    (void)state;
    gives(no_se, TEXT, "\"No\" séa\\_ .\n");
    gives("#text=a  b \r\n"
          "1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n",
          TEXT, "a  b \n");
    gives("# text_en = no\n# text\n"
          "1\tx\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=Nowhere\n"
          "2\ty\t_\t_\t_\t_\t_\t_\t_\t_\n",
          TEXT, "x y\n");
}

/* Texts without backslashes are easier to read: ' stands for ". */
static void gives_json(const char *data, writer w, const char *want)
{
    char *quoted = strdup(want);
    assert_non_null(quoted);
    for (char *at = quoted; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    gives(data, w, quoted);
    free(quoted);
}

static void json(void **state)
{
    (void)state;
    gives_json(no_se, JSON,
               "{'sent_id':'a-1','words':["
               "{'id':1,'form':'\\'No\\'','upos':'ADV','head':2,'deprel':'advmod',"
               "'deps':[{'head':2,'deprel':'advmod'}]},"
               "{'id':2,'form':'sé','lemma':'saber','upos':'VERB','head':0,'deprel':'root'},"
               "{'id':3,'form':'a','lemma':'a','upos':'ADP','misc':{'SpaceAfter':'No'}},"
               "{'id':4,'form':'_','lemma':'_','upos':'PUNCT','xpos':'\\u0001\\u001f',"
               "'head':2,'deprel':'punct'},"
               "{'id':5,'form':'.','lemma':'.','upos':'PUNCT','head':2,'deprel':'punct'}],"
               "'multiword_tokens':[{'id':[2,3],'form':'séa\\\\',"
               "'misc':{'X':'1','SpaceAfter':'No'}}],"
               "'empty_nodes':[{'id':'0.1','form':'yo','lemma':'yo','upos':'PRON',"
               "'deps':[{'head':2,'deprel':'nsubj'}]}]}\n");
    gives("# c\n\n\nx\xff\n\n", JSON, "{\"bad\":true,\"line\":3}\n");
}

/* A word whose FEATS, DEPS and MISC are these. */
#define COLUMNS(feats, deps, misc) "1\ta\t_\t_\t_\t" feats "\t_\t_\t" deps "\t" misc "\n\n"
#define WORD(rest)                 "{'words':[{'id':1,'form':'a'" rest "}]}\n"

static void json_columns(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { COLUMNS("A=b|C=d,e|F=", "_", "_"), WORD(",'feats':{'A':'b','C':'d,e','F':''}") },
        { COLUMNS("A=b=c", "_", "_"), WORD(",'feats':{'A':'b=c'}") },
        { COLUMNS("sg|m", "_", "_"), WORD(",'feats':'sg|m'") },
        { COLUMNS("A=b|A=c", "_", "_"), WORD(",'feats':'A=b|A=c'") },
        { COLUMNS("A=b|=c", "_", "_"), WORD(",'feats':'A=b|=c'") },
        { COLUMNS("A=b|", "_", "_"), WORD(",'feats':'A=b|'") },
        { COLUMNS("_", "0:root|1.1:nsubj:pass", "_"),
          WORD(",'deps':[{'head':0,'deprel':'root'},{'head':'1.1','deprel':'nsubj:pass'}]") },
        { COLUMNS("_", "0:root|x", "_"), WORD(",'deps':'0:root|x'") },
        { COLUMNS("_", "1.x:root", "_"), WORD(",'deps':'1.x:root'") },
        { COLUMNS("_", "0:", "_"), WORD(",'deps':'0:'") },
        { COLUMNS("_", "_", "TokenRange=7:12"), WORD(",'start':7,'end':12") },
        { COLUMNS("_", "_", "Confidence=0.973"), WORD(",'confidence':0.973") },
        { COLUMNS("_", "_", "A=b|Confidence=1.000|SpaceAfter=No|TokenRange=0:1"),
          WORD(",'misc':{'A':'b','SpaceAfter':'No'},'start':0,'end':1,'confidence':1.000") },
        { COLUMNS("_", "_", "TokenRange=7"), WORD(",'misc':{'TokenRange':'7'}") },
        { COLUMNS("_", "_", "TokenRange=7:x"), WORD(",'misc':{'TokenRange':'7:x'}") },
        { COLUMNS("_", "_", "TokenRange=1:1234567890123456"),
          WORD(",'misc':{'TokenRange':'1:1234567890123456'}") },
        { COLUMNS("_", "_", "Confidence=10.5"), WORD(",'misc':{'Confidence':'10.5'}") },
        { COLUMNS("_", "_", "Confidence=1.001"), WORD(",'misc':{'Confidence':'1.001'}") },
        { COLUMNS("_", "_", "Confidence=1"), WORD(",'misc':{'Confidence':'1'}") },
        { COLUMNS("_", "_", "Confidence=.5"), WORD(",'misc':{'Confidence':'.5'}") },
        { COLUMNS("_", "_", "Odd|TokenRange=0:1"), WORD(",'misc':'Odd|TokenRange=0:1'") },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        gives_json(cases[i][0], JSON, cases[i][1]);
}

/* As many pairs as there may be, and one more. */
static void json_takes_so_many_pairs(void **state)
{
    (void)state;
    for (int extra = 0; extra <= 1; extra++) {
        ddn_output in, want;
        ddn_output_memory(&in);
        ddn_output_memory(&want);
        ddn_puts(&in, "1\ta\t_\t_\t_\t");
        for (int i = 0; i < DDN_JSON_PAIRS + extra; i++) {
            ddn_putf(&in, "%sA%d=x", i ? "|" : "", i);
            ddn_putf(&want, extra ? "%sA%d=x" : "%s\"A%d\":\"x\"", i ? extra ? "|" : "," : "", i);
        }
        ddn_puts(&in, "\t_\t_\t_\t_\n\n");
        char *got = write_all(in.data, in.size, JSON, false);
        assert_non_null(
            strstr(got, extra ? "\"feats\":\"A0=x|A1" : "\"feats\":{\"A0\":\"x\",\"A1"));
        ddn_put(&want, "", 1);
        assert_non_null(strstr(got, want.data));
        free(got);
        ddn_output_abandon(&in);
        ddn_output_abandon(&want);
    }
}

#define SENTENCE(comments) comments "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
#define PLACED(members)    "{" members "'words':[{'id':1,'form':'a'}]}\n"

static void json_documents_and_paragraphs(void **state)
{
    (void)state;
    gives_json(
        SENTENCE("# newpar\n") SENTENCE("# newparish\n# sent_id = 2\n")
            SENTENCE("# newdoc id = d\n# newpar id = p 1\n") SENTENCE("") SENTENCE("#newpar  \n")
                SENTENCE("# newdoc\n") "x\n\n" SENTENCE("# newdoc id = \n# newpar\n"),
        JSON,
        PLACED("'paragraph':1,") PLACED("'paragraph':1,'sent_id':'2',")
            PLACED("'document':'d','paragraph':'p 1',") PLACED("'document':'d','paragraph':'p 1',")
                PLACED("'document':'d','paragraph':2,")
                    PLACED("'document':2,") "{'bad':true,'line':20}\n" PLACED(
                        "'document':3,'paragraph':1,"));
}

static void displacy(void **state)
{
    (void)state;
    gives_json(no_se, DISPLACY,
               "{'words':[{'text':'\\'No\\'','tag':'ADV'},{'text':'sé','tag':'VERB'},"
               "{'text':'a','tag':'ADP'},{'text':'_','tag':'PUNCT'},{'text':'.','tag':'PUNCT'}],"
               "'arcs':[{'start':0,'end':1,'label':'advmod','dir':'left'},"
               "{'start':1,'end':3,'label':'punct','dir':'right'},"
               "{'start':1,'end':4,'label':'punct','dir':'right'}]}\n");
    /* XPOS where there is no UPOS, nothing where there is neither; no arc from a word to itself. */
    gives_json("1\tיער\t_\t_\tN\t_\t1\td\t_\t_\n2\t1\t_\t_\t_\t_\t0\tr\t_\t_\n", DISPLACY,
               "{'words':[{'text':'יער','tag':'N'},{'text':'1','tag':''}],'arcs':[],"
               "'settings':{'direction':'rtl'}}\n");
    gives("# c\n\n\nx\xff\n\n", DISPLACY, "");
}

static void drawing(void **state)
{
    (void)state;
    size_t size;
    char *data = test_slurp(test_data("nonprojective.conllu"), &size);
    char *got = write_all(data, size, TREE, false);
    static const char first[] = "A hearing is scheduled on the issue today\n"
                                "  ╭─ A         DET   det\n"
                                "╭─┤ hearing    NOUN  nsubj:pass\n"
                                "├─┼─ is        AUX   aux:pass\n"
                                "┤ │ scheduled  VERB  root\n"
                                "│ │ ╭─ on      ADP   case\n"
                                "│ │ ├─ the     DET   det\n"
                                "│ ╰─╯ issue    NOUN  nmod\n"
                                "╰─ today       NOUN  obl\n\n";
    assert_memory_equal(got, first, sizeof first - 1);
    assert_non_null(strstr(got, "a b c d\n"
                                "╭─╮ a     X  root\n"
                                "│ │ ╭─ b  X  dep\n"
                                "│ ╰─┼─ c  X  dep\n"
                                "╰───╯ d   X  root\n\n"));
    free(got);
    free(data);
    gives("1\t木\t_\tN\t_\t_\t2\ta\t_\t_\n2\tx\x1b[1m\xc2\x9b\t_\tV\t_\t_\t0\tb\t_\t_\n", TREE,
          "木 x\xef\xbf\xbd[1m\xef\xbf\xbd\n"
          "╭─ 木     N  a\n"
          "╯ x\xef\xbf\xbd[1m\xef\xbf\xbd  V  b\n\n");
    gives("1\ta\t_\tN\t_\t_\t2\tx\t_\t_\n2\tb\t_\tN\t_\t_\t1\ty\t_\t_\n3\tc\t_\tN\t_\t_\t_\t_\t_\t_"
          "\n",
          TREE, "a b c\n1 a  N  x of 2\n2 b  N  y of 1\n3 c  N  _\n\n");
}

/* A random tree: word order[k] hangs from one of the earlier order[j] or from 0. */
static void random_tree(int32_t *head, int32_t n, uint32_t *seed)
{
    int32_t order[64];
    for (int32_t i = 0; i < n; i++)
        order[i] = i + 1;
    for (int32_t i = n - 1; i > 0; i--) {
        *seed = *seed * 1664525 + 1013904223;
        int32_t k = (int32_t)((*seed >> 8) % (uint32_t)(i + 1)), t = order[i];
        order[i] = order[k];
        order[k] = t;
    }
    head[order[0]] = 0;
    for (int32_t i = 1; i < n; i++) {
        *seed = *seed * 1664525 + 1013904223;
        uint32_t k = (*seed >> 8) % (uint32_t)(i + 1);
        head[order[i]] = k == (uint32_t)i ? 0 : order[k];
    }
}

enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8 };

/* Which sides of its cell a sign touches. */
static int sides(const char **at)
{
    static const struct {
        const char *sign;
        int sides;
    } table[] = {
        { "─", LEFT | RIGHT }, { "│", UP | DOWN },         { "╭", DOWN | RIGHT },
        { "╰", UP | RIGHT },   { "├", UP | DOWN | RIGHT }, { "╮", DOWN | LEFT },
        { "╯", UP | LEFT },    { "┤", UP | DOWN | LEFT },  { "┼", UP | DOWN | LEFT | RIGHT }
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strncmp(*at, table[i].sign, 3) == 0) {
            *at += 3;
            return table[i].sides;
        }
    *at += 1;
    return 0;
}

/* Follows the lines of a drawing as an eye would: from a word's branch left to where it meets an
 * upright line, then along that to the row whose own sign ends it. */
static int32_t follow(int grid[][160], int32_t rows, int32_t row)
{
    int width = 0;
    while (width < 159 && grid[row][width] >= 0)
        width++;
    /* The word's own line is the last sign with a left side and no right one, or there is none. */
    int own = -1;
    for (int k = 0; k < width; k++)
        if (grid[row][k] == (DOWN | LEFT) || grid[row][k] == (UP | LEFT) ||
            grid[row][k] == (UP | DOWN | LEFT))
            own = k;
    int k = own >= 0 ? own - 1 : width - 1;
    while (k >= 0 && (grid[row][k] == (LEFT | RIGHT) ||
                      grid[row][k] == (UP | DOWN | LEFT | RIGHT) || (own < 0 && grid[row][k] == 0)))
        k--;
    if (k < 0 || !(grid[row][k] & RIGHT))
        return 0; /* no branch: the only root */
    for (int step = -1; step <= 1; step += 2)
        for (int32_t i = row;
             i >= 0 && i < rows && (i == row || grid[i][k] & (step < 0 ? DOWN : UP)) &&
             (i == row || grid[i - step][k] & (step < 0 ? UP : DOWN));
             i += step)
            if (i != row && grid[i][k] & LEFT && !(grid[i][k] & RIGHT))
                return i + 1;
    return 0;
}

static void drawings_can_be_read_back(void **state)
{
    (void)state;
    uint32_t seed = 5;
    for (int round = 0; round < 3000; round++) {
        int32_t n = 1 + round % 12, head[13];
        random_tree(head, n, &seed);
        char data[2048] = "# text = t\n";
        for (int32_t i = 1; i <= n; i++)
            sprintf(data + strlen(data), "%d\tw\t_\tX\t_\t_\t%d\td\t_\t_\n", (int)i, (int)head[i]);
        char *got = write_all(data, strlen(data), TREE, false);
        static int grid[12][160];
        memset(grid, -1, sizeof grid);
        const char *at = strchr(got, '\n') + 1;
        for (int32_t i = 0; i < n; i++) {
            for (int k = 0; *at != 'w'; k++)
                grid[i][k] = sides(&at);
            at = strchr(at, '\n') + 1;
        }
        for (int32_t i = 0; i < n; i++)
            if (follow(grid, n, i) != head[i + 1])
                fail_msg("word %d hangs from %d, not %d in\n%s", (int)i + 1,
                         (int)follow(grid, n, i), (int)head[i + 1], got);
        free(got);
    }
}

/* The first sentence of data in a terminal, compared with the first of other unless that is NULL.
 */
static void draws(const char *data, const char *other, int width, bool colours, const char *want)
{
    ddn_sentence s[2];
    ddn_comparison with;
    ddn_output o;
    ddn_draw *d = ddn_draw_new();
    assert_non_null(d);
    ddn_comparison_init(&with);
    ddn_output_memory(&o);
    for (int i = 0; i < 2; i++) {
        const char *text = i && other ? other : data;
        test_memory m = { text, strlen(text), 0, 0 };
        ddn_input *in;
        ddn_conll_reader *r;
        ddn_sentence_init(&s[i]);
        assert_int_equal(ddn_input_callback(&in, test_memory_read, &m, "f", NULL), 0);
        assert_int_equal(ddn_conll_open(&r, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, NULL), 0);
        assert_int_equal(ddn_conll_next(r, &s[i], NULL), 1);
        ddn_conll_close(r);
    }
    ddn_draw_terminal(d, width, colours);
    assert_int_equal(ddn_comparison_same(&with, &s[0], &s[1], NULL), 0);
    assert_int_equal(ddn_draw_put(d, &o, &s[0], other ? &with : NULL, NULL), 0);
    ddn_comparison_fini(&with);
    ddn_put(&o, "", 1);
    assert_string_equal(o.data, want);
    ddn_draw_free(d);
    ddn_sentence_fini(&s[0]);
    ddn_sentence_fini(&s[1]);
    ddn_output_abandon(&o);
}

static const char dont[] = "0.1\tyou\t_\tPRON\t_\t_\t_\t_\t3:nsubj\t_\n"
                           "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
                           "1\tDo\t_\tAUX\t_\t_\t3\taux\t_\t_\n"
                           "2\tn't\t_\tPART\t_\t_\t3\tadvmod\t_\t_\n"
                           "2.1\tever\t_\tADV\t_\t_\t_\t_\t3:advmod\t_\n"
                           "3\tsing\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
                           "3.1\tit\t_\tPRON\t_\t_\t_\t_\t3:obj\t_\n\n";

static void tokens_and_empty_nodes(void **state)
{
    (void)state;
    draws(dont, NULL, 0, false,
          "Don't sing\n"
          "[you]     PRON  3:nsubj\n"
          "╭─ Do     AUX   aux       ╮ Don't\n"
          "├─ n't    PART  advmod    ╯\n"
          "│ [ever]  ADV   3:advmod\n"
          "╯ sing    VERB  root\n"
          "[it]      PRON  3:obj\n\n");
}

static void differences(void **state)
{
    (void)state;
    draws("1\ta\t_\tX\t_\t_\t2\tl\t_\t_\n2-2\tBc\t_\t_\t_\t_\t_\t_\t_\t_\n"
          "2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n3\tc\t_\tX\t_\t_\t2\tl\t_\t_\n\n",
          "1\ta\t_\tX\t_\t_\t2\tm\t_\t_\n"
          "2\tb\t_\tY\t_\t_\t3\troot\t_\t_\n3\tc\t_\tX\t_\t_\t0\tl\t_\t_\n\n",
          0, false,
          "a Bc c\n"
          "╭─ a  X  l           ≠ m\n"
          "┤ b   X  root  ─ Bc  ≠ Y root of 3 c\n"
          "╰─ c  X  l           ≠ l of 0\n\n");
    /* Differences take 26 columns, so that forms have 10 of 45 with their lines.  Where they have
     * no room at all, they alone go beyond the width. */
    static const char one[] = "1\tabcdefghijklmnop\t_\tX\t_\t_\t2\tl\t_\t_\n"
                              "2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n";
    static const char two[] = "1\tabcdefghijklmnop\t_\tX\t_\t_\t0\tm\t_\t_\n"
                              "2\tb\t_\tX\t_\t_\t1\troot\t_\t_\n\n";
    draws(one, two, 45, false,
          "abcdefghijklmnop b\n"
          "╭─ abcdef…  X  l     ≠ m of 0\n"
          "╯ b         X  root  ≠ root of 1 abcdefghijk…\n\n");
    draws(one, two, 30, false,
          "abcdefghijklmnop b\n"
          "╭─ abcdefghijklmnop  X  l     ≠ m of 0\n"
          "╯ b                  X  root  ≠ root of 1 abcdefghijk…\n\n");
}

/* Words that only one analysis has, and sentences that only one ends, in a terminal. */
static void other_words(void **state)
{
    (void)state;
    ddn_sentence s, t;
    ddn_comparison with;
    ddn_output o;
    ddn_draw *d = ddn_draw_new();
    static const struct {
        const char *form, *head, *there;
    } words[] = { { "ab", "3", "xabcdefghijklmnop" }, { "c", "1", "ab" }, { "d", "0", "d" } };
    static const char *const heads_there[] = { "2", "0", "1" };
    ddn_sentence_init(&s);
    ddn_sentence_init(&t);
    ddn_comparison_init(&with);
    ddn_output_memory(&o);
    assert_non_null(d);
    for (int i = 0; i < 3; i++) {
        dodona_text x = { "X", 1 }, l = { "l", 1 };
        dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = { words[i].form, strlen(words[i].form) },
                                         [DDN_UPOS] = x,
                                         [DDN_HEAD] = { words[i].head, 1 },
                                         [DDN_DEPREL] = l };
        assert_int_equal(ddn_sentence_word(&s, col, NULL), 0);
        col[DDN_FORM] = (dodona_text){ words[i].there, strlen(words[i].there) };
        col[DDN_HEAD].data = heads_there[i];
        if (i == 0)
            col[DDN_DEPREL] = (dodona_text){ "abcdefghijklmnopqrst", 20 };
        assert_int_equal(ddn_sentence_word(&t, col, NULL), 0);
    }
    assert_int_equal(ddn_comparison_begin(&with, &s, &t, NULL), 0);
    with.after[1] = 0; /* ab is ab, d is d */
    with.there[1] = 2;
    with.here[2] = with.after[2] = 1;
    with.there[3] = 3;
    with.here[3] = with.after[3] = 3;
    with.ends_there[2] = true;
    with.sentences_there = 2;
    static const char drawn[] = "ab c d\n"
                                "+xabcdefghijklmnop        ≠ X abcdefghijklmnopqrst of 1 ab\n"
                                "╭─╮ ab              X  l  ≠ l of 0\n"
                                "│ │                       ≠ the sentence ends\n"
                                "│ ╰─ c              X  l  ≠ no such word\n"
                                "╯ d                 X  l  ≠ l of +xabcdefghijklmnop\n\n";
    assert_int_equal(ddn_draw_put(d, &o, &s, &with, NULL), 0);
    ddn_put(&o, "", 1);
    assert_string_equal(o.data, drawn);
    /* The longest difference takes 34 columns with the blanks before it, tags and labels 6, so that
     * forms have 10 of 50. */
    o.size = 0;
    ddn_draw_terminal(d, 50, false);
    assert_int_equal(ddn_draw_put(d, &o, &s, &with, NULL), 0);
    ddn_put(&o, "", 1);
    assert_string_equal(o.data, "ab c d\n"
                                "+xabcdefg…        ≠ X abcdefghijklmnopqrst of 1 ab\n"
                                "╭─╮ ab      X  l  ≠ l of 0\n"
                                "│ │               ≠ the sentence ends\n"
                                "│ ╰─ c      X  l  ≠ no such word\n"
                                "╯ d         X  l  ≠ l of +xabcdefghij…\n\n");
    ddn_draw_free(d);
    ddn_sentence_fini(&s);
    ddn_sentence_fini(&t);
    ddn_comparison_fini(&with);
    ddn_output_abandon(&o);
}

static void terminals(void **state)
{
    (void)state;
    static const char wide[] = "# text = one two three four five six\n"
                               "1\tabcdefghijklmnop\t_\tX\t_\t_\t2\tl\t_\t_\n"
                               "2\t木木木木木木\t_\tX\t_\t_\t0\troot\t_\t_\n\n";
    /* Tags and labels take 9 columns: 11 are left, of which two or three are lines. */
    draws(wide, NULL, 20, false,
          "one two three four\n"
          "five six\n"
          "╭─ abcdefg…  X  l\n"
          "╯ 木木木木…  X  root\n\n");
    /* No room for lines, and not for the list either: words keep four columns. */
    draws(wide, NULL, 15, false,
          "one two three\n"
          "four five six\n"
          "1 abc…  X  l of 2\n"
          "2 木…   X  root of 0\n\n");
    draws("1\tא\t_\tX\t_\t_\t0\troot\t_\t_\n\n", NULL, 80, true,
          "א\n\u200e\x1b[2m\x1b[0mא\u200e  \x1b[36mX\x1b[0m  \x1b[33mroot\x1b[0m\n\n");
}

/* A chain deeper than there are lanes is listed. */
static void deep_trees_are_listed(void **state)
{
    (void)state;
    ddn_output o;
    ddn_output_memory(&o);
    for (int i = 1; i <= 200; i++)
        ddn_putf(&o, "%d\tw\t_\tX\t_\t_\t%d\td\t_\t_\n", i, i - 1);
    char *got = write_all(o.data, o.size, TREE, false);
    assert_non_null(strstr(got, "\n  2 w  X  d of 1\n"));
    assert_non_null(strstr(got, "\n200 w  X  d of 199\n"));
    free(got);
    ddn_output_abandon(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text),
        cmocka_unit_test(json),
        cmocka_unit_test(json_columns),
        cmocka_unit_test(json_takes_so_many_pairs),
        cmocka_unit_test(json_documents_and_paragraphs),
        cmocka_unit_test(displacy),
        cmocka_unit_test(drawing),
        cmocka_unit_test(drawings_can_be_read_back),
        cmocka_unit_test(tokens_and_empty_nodes),
        cmocka_unit_test(differences),
        cmocka_unit_test(other_words),
        cmocka_unit_test(terminals),
        cmocka_unit_test(deep_trees_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
