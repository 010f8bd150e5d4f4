/* The groups around people when the labels of all others are dealt out anew, many times over.
 *
 * Relabelling moves nobody: only who counts in which group changes. So the order in which everyone
 * else stands from a person is made once (`nearest`, by the search kernel), and a group is read by
 * walking along it and counting those who have the label: no index is built and nothing is sorted
 * again. Around a counterfactual, which moves a little with each deal because the causal model is
 * fitted anew, the walk goes on until nobody farther along could be nearer to it (the triangle
 * inequality), and the k-th is selected among those met.
 *
 * She keeps her own label and is in no group of hers. In a deal that gave her label to another
 * (`partner`), the two exchange what they were dealt, which makes a uniform deal among all into a
 * uniform one among the others; where labels are drawn for each by herself there is no partner (-1).
 *
 * Where effects have levels she has several counterfactual states with weights (`rl_states`). Lists
 * are then around anchors, points to which several states are near in several deals.
 *
 * Ties are those of kernel.c: distances closer than TOLERANCE, joined in chains, share the places
 * left, or all join. Negative return: out of memory.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-9   /* distances closer than this are tied */
#define SLACK 2e-9       /* kept beyond the radius, so that ties are seen */
#define SURE 1e-7        /* nearer than the k-th by this: not even tied with it in a chain */
enum { NEITHER, CONTROL, TEST };

typedef struct { int32_t people[2], refused[2]; } Tally; /* on one point: control, test */
typedef struct { double d; int32_t people, refused; } Met;
typedef struct { double d; int32_t point; } Entry;
typedef struct { const double *d; const int32_t *point; int64_t n; int whole, untied; } Row;
typedef struct { double refused, people; } Group;

typedef struct {
    int64_t points;
    int p, q;
    const double *x;     /* [points][p] */
    const int32_t *code; /* [points][q] */
    const double *weight;
} Space;

typedef struct {         /* what is asked for: sizes, and who may count */
    const int64_t *k;    /* ascending */
    int64_t n;
    double limit;
    int all;             /* everyone tied joins */
    int unit;            /* one person on each point, and no limit */
} Asked;

static double distance(const Space *s, const double *x, const int32_t *code, int64_t to)
{
    double d = 0.0;
    for (int a = 0; a < s->p; a++) d += fabs(x[a] - s->x[to * s->p + a]);
    for (int j = 0; j < s->q; j++) d += code[j] != s->code[to * s->q + j] ? s->weight[j] : 0.0;
    return d;
}

/* Whether no two of a list are tied. */
static int is_untied(const double *d, int64_t n)
{
    for (int64_t i = 1; i < n; i++) if (d[i] - d[i - 1] < TOLERANCE) return 0;
    return 1;
}

static int nearer(const void *a, const void *b)
{
    double u = ((const Entry *)a)->d, v = ((const Entry *)b)->d;
    return (u > v) - (u < v);
}

/* Everyone in order from one point, where what was listed did not reach far enough. */
static int list_all(const Space *s, int64_t own, Row *row)
{
    Entry *entry = malloc((size_t)s->points * sizeof *entry);
    double *d = malloc((size_t)s->points * sizeof *d);
    int32_t *point = malloc((size_t)s->points * sizeof *point);
    int failed = !entry || !d || !point;
    if (failed) { free(d); free(point); }
    else {
        for (int64_t i = 0; i < s->points; i++) {
            entry[i].d = distance(s, s->x + own * s->p, s->code + own * s->q, i);
            entry[i].point = (int32_t)i;
        }
        qsort(entry, (size_t)s->points, sizeof *entry, nearer);
        for (int64_t i = 0; i < s->points; i++) { d[i] = entry[i].d; point[i] = entry[i].point; }
        *row = (Row){d, point, s->points, 1, is_untied(d, s->points)};
    }
    free(entry);
    return failed;
}

/* What a tie adds at each k that it reaches; returns the next k to be reached. */
static int64_t reach(Group *found, const Asked *asked, int64_t next, int64_t people,
                     int64_t refused, int64_t tied, int64_t against)
{
    for (; next < asked->n && tied && people + tied >= asked->k[next]; next++) {
        int64_t k = asked->k[next];
        double part = (double)(k - people) * ((double)against / (double)tied);
        found[next].refused = asked->all ? (double)(refused + against) : (double)refused + part;
        found[next].people = asked->all ? (double)(people + tied) : (double)k;
    }
    return next;
}

static void fill(Group *found, const Asked *asked, int64_t next, int64_t people, int64_t refused)
{
    for (; next < asked->n; next++) {
        found[next].refused = (double)refused;
        found[next].people = (double)people;
    }
}

/* The group around the person herself where nobody is tied; as `around_her`. */
static int around_her_untied(const Row *row, const Tally *tally, int label, const Asked *asked,
                             Group *found)
{
    int64_t people = 0, refused = 0, i = 0;
    for (int64_t next = 0; next < asked->n; next++) {
        for (; people < asked->k[next] && i < row->n; i++) {
            people += tally[row->point[i]].people[label];
            refused += tally[row->point[i]].refused[label];
        }
        if (people < asked->k[next]) {
            fill(found, asked, next, people, refused);
            return !row->whole;
        }
        found[next].refused = (double)refused;
        found[next].people = (double)people;
    }
    return 0;
}

/* The group around the person herself; 1 where the list is too short to tell. */
static int around_her(const Row *row, const Tally *tally, int label, const Asked *asked,
                      Group *found)
{
    if (row->untied && asked->unit) return around_her_untied(row, tally, label, asked, found);
    int64_t people = 0, refused = 0, tied = 0, against = 0, next = 0, most = asked->k[asked->n - 1];
    double last = -INFINITY;
    for (int64_t i = 0; i < row->n; i++) {
        const Tally *here = &tally[row->point[i]];
        if (!here->people[label]) continue;
        if (row->d[i] - last >= TOLERANCE) {
            if (people + tied >= asked->k[next]) {
                next = reach(found, asked, next, people, refused, tied, against);
                if (people + tied >= most) return 0;
            }
            if (row->d[i] > asked->limit) { last = INFINITY; break; }
            people += tied; refused += against; tied = against = 0;
        }
        last = row->d[i];
        tied += here->people[label];
        against += here->refused[label];
    }
    if (!row->whole && last < INFINITY) return 1;
    next = reach(found, asked, next, people, refused, tied, against);
    fill(found, asked, next, people + tied, refused + against);
    return 0;
}

/* The distance of the k-th person among those met, who are at least k. */
static double kth(Met *met, int64_t n, int64_t k)
{
    int64_t left = 0, right = n - 1, before = 0;
    while (left < right) {
        double u = met[left].d, v = met[(left + right) / 2].d, w = met[right].d;
        double pivot = u < v ? (v < w ? v : (u < w ? w : u)) : (u < w ? u : (v < w ? w : v));
        int64_t i = left, j = right, low = 0, middle = 0;
        while (i <= j) {
            while (met[i].d < pivot) i++;
            while (met[j].d > pivot) j--;
            if (i <= j) { Met t = met[i]; met[i] = met[j]; met[j] = t; i++; j--; }
        }
        for (int64_t m = left; m <= j; m++) low += met[m].people;
        for (int64_t m = j + 1; m < i; m++) middle += met[m].people;
        if (before + low >= k) right = j;
        else if (before + low + middle >= k) return pivot;
        else { before += low + middle; left = i; }
    }
    return met[left].d;
}

/* The group at one k from those met, nearer than whom are `sure`; ties are a chain around the k-th. */
static double read_group(Met *met, int64_t n, const Met *sure, const Asked *asked, int64_t which,
                         Group *found)
{
    double low = kth(met, n, asked->k[which] - sure->people), high = low, at = low;
    int64_t people, refused, tied, against;
    for (int grown = 1; grown;) {
        grown = 0;
        people = sure->people;
        refused = sure->refused;
        tied = against = 0;
        double down = low, up = high;
        for (int64_t i = 0; i < n; i++) {
            double d = met[i].d;
            if (d < low) {
                people += met[i].people;
                refused += met[i].refused;
                if (low - d < TOLERANCE) { down = d < down ? d : down; grown = 1; }
            } else if (d <= high) {
                tied += met[i].people;
                against += met[i].refused;
            } else if (d - high < TOLERANCE) { up = d > up ? d : up; grown = 1; }
        }
        low = down; high = up;
    }
    Asked one = {asked->k + which, 1, asked->limit, asked->all, asked->unit};
    reach(found + which, &one, 0, people, refused, tied, against);
    return at;
}

/* The groups at every k from those met; `people` and `refused` are of all, the sure ones too. */
static void read_groups(Met *met, int64_t n, const Met *sure, int64_t people, int64_t refused,
                        const Asked *asked, Group *found, double *radius)
{
    int64_t last = asked->n;
    while (last && asked->k[last - 1] > people) last--; /* fewer people than k: all of them */
    fill(found, asked, last, people, refused);
    if (last == asked->n) *radius = 0.0;
    while (last--) {
        double at = read_group(met, n, sure, asked, last, found);
        if (last == asked->n - 1) *radius = at;
        int64_t kept = 0; /* smaller groups are among these */
        for (int64_t m = 0; last && m < n; m++)
            if (met[m].d <= at + SLACK) met[kept++] = met[m];
        n = kept;
    }
}

/* How far around her the `most` nearest of the test group reach, a little farther at the most. */
static double reach_of(const Row *row, const Tally *tally, int64_t most)
{
    int64_t people = 0;
    for (int64_t i = 0; i < row->n; i++) {
        people += tally[row->point[i]].people[1];
        if (people >= most) return row->d[i];
    }
    return INFINITY;
}

/* The test group around her counterfactual, `shift` from where the list is around; 1 where the list
 * is too short to tell. `radius` is a guess within which it is looked for, and becomes the k-th's
 * own. */
static int around_there(const Space *s, const Row *row, const Tally *tally, double shift,
                        const double *moved, const int32_t *code, const Asked *asked, Met *met,
                        Group *found, double *radius)
{
    int64_t n, people, refused, most = asked->k[asked->n - 1];
    double within = *radius < asked->limit ? *radius : asked->limit;
    for (;;) {
        n = people = refused = 0;
        int64_t i = 0;
        for (; i < row->n && row->d[i] <= within + shift + SLACK; i++) {
            const Tally *here = &tally[row->point[i]];
            if (!here->people[1]) continue;
            double d = distance(s, moved, code, row->point[i]);
            if (d > within + SLACK || d > asked->limit) continue;
            met[n].d = d;
            met[n].people = here->people[1];
            met[n++].refused = here->refused[1];
            people += here->people[1];
            refused += here->refused[1];
        }
        if (i == row->n && !row->whole) return 1;
        if (people >= most || within >= asked->limit) break;
        within = reach_of(row, tally, most) + shift; /* holds `most` for sure */
        if (within > asked->limit) within = asked->limit;
    }
    Met sure = {0.0, 0, 0};
    read_groups(met, n, &sure, people, refused, asked, found, radius);
    return 0;
}

/* How far apart two places are that are not both people's. */
static double apart(const Space *s, const double *x, const int32_t *code, const double *y,
                    const int32_t *other)
{
    double d = 0.0;
    for (int a = 0; a < s->p; a++) d += fabs(x[a] - y[a]);
    for (int j = 0; j < s->q; j++) d += code[j] != other[j] ? s->weight[j] : 0.0;
    return d;
}

/* The test group around a state, `shift` from the anchor of its list; 1 where that is too short.
 *
 * The k-th around the anchor and around the state are at most `shift` apart in how far they are. So
 * whoever is nearer by more than that is in the group for sure, and only those about as far away as
 * the k-th are put in order. The two places differ on the `n_axes` axes alone; `columns` are the
 * points' coordinates axis by axis. */
static int around_state(const Space *s, const Row *row, const Tally *tally, double shift,
                        const double *there, const double *anchor, const int *axes, int n_axes,
                        const double *columns, const Asked *asked, Met *met, Group *found)
{
    int64_t people = 0, i = 0, least = asked->k[0], most = asked->k[asked->n - 1];
    double low = -INFINITY, within = INFINITY, radius;
    for (; i < row->n; i++) {
        int64_t here = tally[row->point[i]].people[1];
        if (people < least && people + here >= least) low = row->d[i];
        people += here;
        if (people >= most) { within = row->d[i] + shift; break; }
    }
    if (within > asked->limit) within = asked->limit;
    if (i == row->n && !row->whole && row->d[row->n - 1] <= within + shift + SLACK) return 1;
    double inside = low - shift - SURE;
    Met sure = {0.0, 0, 0};
    int64_t n = 0, refused = 0;
    people = 0;
    for (i = 0; i < row->n && row->d[i] <= within + shift + SLACK; i++) {
        const Tally *here = &tally[row->point[i]];
        if (!here->people[1]) continue;
        double d = row->d[i];
        for (int j = 0; j < n_axes; j++) {
            double x = columns[axes[j] * s->points + row->point[i]];
            d += fabs(there[axes[j]] - x) - fabs(anchor[axes[j]] - x);
        }
        if (d > within + SLACK || d > asked->limit) continue;
        people += here->people[1];
        refused += here->refused[1];
        if (d < inside) {
            sure.people += here->people[1];
            sure.refused += here->refused[1];
        } else {
            met[n].d = d;
            met[n].people = here->people[1];
            met[n++].refused = here->refused[1];
        }
    }
    if (i == row->n && !row->whole) return 1;
    read_groups(met, n, &sure, people, refused, asked, found, &radius);
    return 0;
}

static void add(Tally *tally, int label, int refused, int way)
{
    if (label == NEITHER) return;
    tally->people[label - 1] += way;
    tally->refused[label - 1] += refused ? way : 0;
}

static void count_all(Tally *t, int64_t points, int64_t people, const int64_t *point,
                      const uint8_t *label, const uint8_t *refused)
{
    memset(t, 0, (size_t)points * sizeof *t);
    for (int64_t i = 0; i < people; i++) add(&t[point[i]], label[i], refused[i], 1);
}

/* Takes her out of the groups and lets her partner have what she was dealt; way -1 undoes it. */
static void leave_out(Tally *t, const int64_t *point, const uint8_t *label, const uint8_t *refused,
                      int64_t i, int64_t j, int way)
{
    int dealt = label[i];
    add(&t[point[i]], dealt, refused[i], -way);
    if (dealt != CONTROL && j >= 0) {
        add(&t[point[j]], CONTROL, refused[j], -way);
        add(&t[point[j]], dealt, refused[j], way);
    }
}

/* For every deal and person: negatives and size of control and, if asked, test (CST), test (ST). */
int rl_groups(int64_t points, int p, int q, const double *x, const int32_t *code,
              const double *weight, int64_t people, const int64_t *point, const uint8_t *refused,
              int64_t deals, const uint8_t *label, int64_t centres, const int64_t *who,
              const int64_t *partner, int64_t length, const int64_t *list, const double *near_d,
              const int32_t *near, const double *moved, int64_t n_k, const int64_t *k,
              double limit, int all, Group *control, Group *test, Group *test_st)
{
    Space s = {.points = points, .p = p, .q = q, .x = x, .code = code, .weight = weight};
    Asked asked = {k, n_k, limit + TOLERANCE, all, points == people && isinf(limit)};
    Tally *t = malloc((size_t)points * sizeof *t);
    Met *met = malloc((size_t)points * sizeof *met);
    Row *row = malloc((size_t)centres * sizeof *row);
    double *radius = malloc((size_t)centres * sizeof *radius);
    double wider = 1.0 + 2.5 / (sqrt((double)k[n_k - 1]) * (p > 0 ? p : 1));
    int failed = !t || !met || !row || !radius;
    for (int64_t c = 0; !failed && c < centres; c++) {
        const double *d = near_d + list[c] * length;
        row[c] = (Row){d, near + list[c] * length, length, length == points, is_untied(d, length)};
        radius[c] = 0.0;
    }
    for (int64_t r = 0; !failed && r < deals; r++) {
        const uint8_t *dealt = label + r * people;
        count_all(t, points, people, point, dealt, refused);
        for (int64_t c = 0; !failed && c < centres; c++) {
            int64_t i = who[c], own = point[i], j = partner[r * centres + c];
            int64_t cell = (r * centres + c) * n_k;
            const double *there = moved + (r * centres + c) * p;
            const int32_t *level = code + own * q;
            double shift = test ? apart(&s, there, level, x + own * p, level) : 0.0;
            leave_out(t, point, dealt, refused, i, j, 1);
            radius[c] *= wider;
            while (!failed
                   && (around_her(&row[c], t, 0, &asked, control + cell)
                       || (test && around_there(&s, &row[c], t, shift, there, level, &asked, met,
                                                test + cell, &radius[c]))
                       || (test_st && around_her(&row[c], t, 1, &asked, test_st + cell))))
                failed = list_all(&s, own, &row[c]);
            leave_out(t, point, dealt, refused, i, j, -1);
        }
    }
    for (int64_t c = 0; row && c < centres; c++)
        if (row[c].d != near_d + list[c] * length) {
            free((void *)row[c].d);
            free((void *)row[c].point);
        }
    free(t); free(met); free(row); free(radius);
    return failed ? -1 : 0;
}

/* For people's states in one deal: negatives and size of the test group around each. `owner` is a
 * place in `who`, equal ones together, and `which` the state; several people may have one. `list`
 * is, by state, around which anchor everyone was put in order. Where a list does not reach far
 * enough this is marked in `is_short`, and the group left for a longer one. */
int rl_states(int64_t points, int p, int q, const double *x, const int32_t *code,
              const double *weight, int64_t people, const int64_t *point, const uint8_t *refused,
              const uint8_t *label, const int64_t *who, const int64_t *partner, int64_t groups,
              const int64_t *owner, const int64_t *which, const double *state_x, const int32_t *state_code,
              const int64_t *list, const double *anchor_x, const int32_t *anchor_code,
              const int64_t *start, const int64_t *length, const double *near_d,
              const int32_t *near, int64_t n_k, const int64_t *k, double limit, int all,
              Group *test, uint8_t *is_short)
{
    Space s = {.points = points, .p = p, .q = q, .x = x, .code = code, .weight = weight};
    Asked asked = {k, n_k, limit + TOLERANCE, all, 0};
    Tally *t = malloc((size_t)points * sizeof *t);
    Met *met = malloc((size_t)points * sizeof *met);
    double *columns = malloc(((size_t)points * (size_t)p + 1) * sizeof *columns);
    int *axes = malloc(((size_t)p + 1) * sizeof *axes);
    int failed = !t || !met || !columns || !axes;
    if (!failed) count_all(t, points, people, point, label, refused);
    for (int64_t i = 0; !failed && i < points; i++)
        for (int a = 0; a < p; a++) columns[a * points + i] = x[i * p + a];
    for (int64_t i = 0; !failed && i < groups; i++) {
        int64_t c = owner[i], l = list[which[i]];
        if (!i || owner[i - 1] != c) leave_out(t, point, label, refused, who[c], partner[c], 1);
        Row row = {near_d + start[l], near + start[l], length[l], length[l] == points, 0};
        const double *there = state_x + which[i] * p;
        const int32_t *level = state_code + which[i] * q;
        const double *anchor = anchor_x + l * p;
        double shift = apart(&s, there, level, anchor, anchor_code + l * q);
        int n_axes = 0, levels = q > 0 && memcmp(level, anchor_code + l * q, (size_t)q * sizeof *level);
        for (int a = 0; a < p; a++) if (there[a] != anchor[a]) axes[n_axes++] = a;
        is_short[i] = (uint8_t)(
            levels ? 1 /* two anchors of one number */
            : shift > 0.0 ? around_state(&s, &row, t, shift, there, anchor, axes, n_axes, columns,
                                         &asked, met, test + i * n_k)
                          : around_her(&row, t, 1, &asked, test + i * n_k));
        if (i + 1 == groups || owner[i + 1] != c)
            leave_out(t, point, label, refused, who[c], partner[c], -1);
    }
    free(t); free(met); free(columns); free(axes);
    return failed ? -1 : 0;
}
