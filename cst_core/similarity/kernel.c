/* Nearest people under d = sum |a - b| + sum w_j [code_j differs], and every k read from them.
 *
 * Exact: a distance is the plain float64 sum, axis by axis in order, then the nominal weights in
 * order (compile with -ffp-contract=off), so it equals numpy's to the last bit. Everything else
 * here only decides which points need that sum.
 *
 * Shape of the index. A KD-style recursion puts the points in an order where runs ("leaves") of
 * at most `leaf_size` are compact. A leaf knows its box, the set of codes in it, and keeps its
 * columns as 16-bit integers on a grid of its own: |a - b| of the integers, times the leaf's step,
 * is the distance up to `error`. A scan adds those up sixteen points at a time and keeps who may
 * be near enough. Columns that are constant in a leaf are left out of the scan.
 *
 * Shape of a search. Centres come in batches of BATCH neighbours (`kn_order` makes them so). The
 * leaves are sorted by distance to the batch's box and each is scanned for every centre that it
 * may concern, while it is in cache. A centre keeps candidates (upper bound on d, point); when
 * many have come, a histogram of the bounds finds a smaller radius that still holds `need` people,
 * and the rest go. The first radius comes from the batch before: a safe one by the triangle
 * inequality, and a smaller guess (a neighbour's radius and a little) that is checked afterwards.
 * In the end the survivors' exact distances are taken and sorted, and the curves are written.
 *
 * Distances are taken to be < 1e30, coordinates finite, columns fewer than 4096.
 * All functions are re-entrant; an index is read-only once built. Negative return: out of memory.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* sixteen points; gcc and clang make the machine's vector instructions of it */
typedef int16_t Lanes __attribute__((vector_size(32), may_alias));

#define TOLERANCE 1e-9   /* distances closer than this are tied */
#define SLACK 2e-9       /* kept beyond the radius, so that ties are seen */
#define RELATIVE 1e-12   /* more than any rounding in a bound */
#define BATCH 16         /* centres searched together */
#define BLOCK 64         /* points scanned together */
#define GRID 32000.0     /* steps of a leaf's integer grid; a sum of differences fits 16 bits */
#define BUCKETS 1024     /* of the histogram that shrinks a radius */
#define SPREAD 2         /* buckets a value when sorting */
#define PAIRS 128        /* pairs of points looked at when choosing what to split */

typedef struct {
    int64_t first, slab; /* first point; first value in `slab` */
    int size;            /* points */
    int numeric, nominal, columns; /* varying columns, and where their list begins */
    double step, inverse, error; /* grid; `error`: how far grid distances may be off, each way */
} Leaf;

typedef struct {
    int64_t points, leaves, people;
    int p, q, unit, loose; /* columns; one person on every point; codes beyond 16 bits */
    double *weight;      /* [q] */
    double *x;           /* [points][p] in leaf order, like the next four */
    int32_t *code;       /* [points][q] */
    int32_t *count, *negative;
    uint32_t *original;  /* the caller's number of a point */
    uint32_t *place;     /* and back */
    Leaf *leaf;
    double *box;         /* [leaves][p][2] lowest, highest */
    double *low, *high;  /* the same, [p][leaves] */
    uint64_t *codes;     /* [q][leaves] which codes (mod 64) occur */
    uint8_t *varies;     /* [leaves][q] */
    int *column;         /* varying columns of each leaf, numeric first */
    int16_t *slab;       /* [block][varying column][BLOCK] for each leaf, aligned to a cache line */
    void *slab_memory;
} Index;

/* ---- order: recursive halving along the column that tells points apart most ---- */

typedef struct { double key; uint32_t id, extra; } Keyed;
typedef struct {
    const double *x; const int32_t *code; const double *weight;
    int p, q, target;
    uint32_t *order; Keyed *scratch;
    int64_t *ends; int64_t n_ends; /* where leaves end */
} Order;

static void select_nth(Keyed *a, int64_t n, int64_t nth)
{
    int64_t left = 0, right = n - 1;
    while (left < right) {
        double u = a[left].key, v = a[(left + right) / 2].key, w = a[right].key;
        double pivot = u < v ? (v < w ? v : (u < w ? w : u)) : (u < w ? u : (v < w ? w : v));
        int64_t i = left, j = right;
        while (i <= j) {
            while (a[i].key < pivot) i++;
            while (a[j].key > pivot) j--;
            if (i <= j) { Keyed t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; }
        }
        if (nth <= j) right = j; else if (nth >= i) left = i; else return;
    }
}

/* The column in which two points differ most on average, from a sample of pairs. */
static int widest_column(const Order *o, int64_t begin, int64_t end)
{
    int64_t n = end - begin, pairs = n < PAIRS ? n : PAIRS;
    int best = 0;
    double most = -1.0;
    for (int c = 0; c < o->p + o->q; c++) {
        double spread = 0.0;
        for (int64_t i = 0; i < pairs; i++) {
            int64_t u = o->order[begin + i * n / pairs];
            int64_t v = o->order[begin + (i * n / pairs * 7 + n / 2) % n];
            spread += c < o->p ? fabs(o->x[u * o->p + c] - o->x[v * o->p + c])
                : o->code[u * o->q + c - o->p] != o->code[v * o->q + c - o->p]
                ? o->weight[c - o->p] : 0.0;
        }
        if (spread > most) { most = spread; best = c; }
    }
    return best;
}

static void arrange(Order *o, int64_t begin, int64_t end)
{
    int64_t n = end - begin;
    if (n <= o->target) { o->ends[o->n_ends++] = end; return; }
    int c = o->p + o->q ? widest_column(o, begin, end) : -1, is_code = c >= o->p;
    /* numeric halves are whole leaves, so that all but one are full */
    int64_t half = ((n + o->target - 1) / o->target + 1) / 2 * o->target;
    if (half >= n || is_code) half = n / 2;
    for (int64_t i = 0; c >= 0 && i < n; i++) {
        uint32_t id = o->order[begin + i];
        o->scratch[i].id = id;
        o->scratch[i].key = is_code ? (double)o->code[(int64_t)id * o->q + c - o->p]
                                    : o->x[(int64_t)id * o->p + c];
    }
    if (c >= 0) select_nth(o->scratch, n, half);
    if (is_code) { /* codes are split between levels, near the middle */
        double middle = o->scratch[half].key;
        int64_t below = 0, through = 0, cut = 0;
        for (int64_t i = 0; i < n; i++) {
            below += o->scratch[i].key < middle;
            through += o->scratch[i].key <= middle;
        }
        int upto = below == 0 || (through < n && through - half < half - below);
        if (upto ? through < n : below > 0) {
            for (int64_t i = 0; i < n; i++)
                if (o->scratch[i].key < middle || (upto && o->scratch[i].key == middle)) {
                    Keyed t = o->scratch[cut];
                    o->scratch[cut++] = o->scratch[i];
                    o->scratch[i] = t;
                }
            half = cut;
        }
    }
    for (int64_t i = 0; c >= 0 && i < n; i++) o->order[begin + i] = o->scratch[i].id;
    arrange(o, begin, begin + half);
    arrange(o, begin + half, end);
}

/* ---- the index ---- */

void kn_free(Index *t)
{
    if (!t) return;
    void *all[] = {t->weight, t->x, t->code, t->count, t->negative, t->original, t->place, t->leaf,
                   t->box, t->low, t->high, t->codes, t->varies, t->column, t->slab_memory};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    free(t);
}

static void *claim(int64_t n, size_t size)
{
    return malloc((size_t)(n > 0 ? n : 1) * size);
}

/* Box, codes, grid and varying columns of one leaf; returns how many columns vary. */
static int describe_leaf(Index *t, int64_t l, int columns)
{
    Leaf *leaf = &t->leaf[l];
    int64_t first = leaf->first;
    int n = leaf->size, p = t->p, q = t->q;
    double total = 0.0;
    leaf->columns = columns;
    leaf->numeric = leaf->nominal = 0;
    for (int a = 0; a < p; a++) {
        double lo = t->x[first * p + a], hi = lo;
        for (int64_t i = first + 1; i < first + n; i++) {
            double v = t->x[i * p + a];
            if (v < lo) lo = v;
            if (v > hi) hi = v;
        }
        t->box[(l * p + a) * 2] = t->low[a * t->leaves + l] = lo;
        t->box[(l * p + a) * 2 + 1] = t->high[a * t->leaves + l] = hi;
        total += hi - lo;
        if (hi > lo) t->column[columns + leaf->numeric++] = a;
    }
    for (int j = 0; j < q; j++) {
        int32_t only = t->code[first * q + j];
        uint64_t codes = 0;
        int varies = 0;
        for (int64_t i = first; i < first + n; i++) {
            codes |= 1ull << (t->code[i * q + j] & 63);
            varies |= t->code[i * q + j] != only;
        }
        t->codes[j * t->leaves + l] = codes;
        t->varies[l * q + j] = (uint8_t)varies;
        if (varies) {
            t->column[columns + leaf->numeric + leaf->nominal++] = j;
            total += t->weight[j];
        }
    }
    int active = leaf->numeric + leaf->nominal;
    if (total < 1e-200) leaf->numeric = leaf->nominal = active = 0; /* too narrow for a grid */
    leaf->step = active ? total / (GRID - 2 * active) : 0.0;
    leaf->inverse = active ? 1.0 / leaf->step : 0.0;
    leaf->error = active ? leaf->step * (active + 1) : 1e-200;
    return active;
}

static void fill_slab(Index *t, int64_t l)
{
    const Leaf *leaf = &t->leaf[l];
    int active = leaf->numeric + leaf->nominal;
    for (int i = 0; i < leaf->size; i++) {
        int64_t at = leaf->first + i;
        int16_t *to = t->slab + leaf->slab + (int64_t)(i / BLOCK) * active * BLOCK + i % BLOCK;
        for (int c = 0; c < active; c++) {
            int column = t->column[leaf->columns + c];
            to[c * BLOCK] = c < leaf->numeric
                ? (int16_t)((t->x[at * t->p + column] - t->box[(l * t->p + column) * 2])
                            * leaf->inverse)
                : (int16_t)(uint16_t)t->code[at * t->q + column];
        }
    }
}

/* Order points into runs of at most `target`; `ends` (may be NULL) gets where each run ends. */
int64_t kn_order(int64_t n, int p, int q, const double *x, const int32_t *code,
                 const double *weight, int target, int64_t *ends, uint32_t *order)
{
    Order o = {.x = x, .code = code, .weight = weight, .p = p, .q = q, .target = target,
               .order = order, .ends = ends ? ends : claim(n, sizeof *ends),
               .scratch = claim(n, sizeof(Keyed))};
    int64_t result = -1;
    for (int64_t i = 0; i < n; i++) order[i] = (uint32_t)i;
    if (o.ends && o.scratch) {
        if (n) arrange(&o, 0, n);
        result = o.n_ends;
    }
    if (!ends) free(o.ends);
    free(o.scratch);
    return result;
}

int kn_batch(void) { return BATCH; }

Index *kn_build(int64_t n, int p, int q, const double *x, const int32_t *code,
                const double *weight, const int32_t *count, const int32_t *negative, int leaf_size)
{
    Index *t = calloc(1, sizeof *t);
    int64_t *ends = claim(n, sizeof *ends);
    if (!t || !ends) { free(ends); free(t); return NULL; }
    t->points = n; t->p = p; t->q = q; t->unit = 1;
    t->original = claim(n, sizeof *t->original);
    t->leaves = t->original ? kn_order(n, p, q, x, code, weight, leaf_size, ends, t->original) : -1;
    if (t->leaves < 0) { free(ends); kn_free(t); return NULL; }
    t->weight = claim(q, sizeof *t->weight);
    t->x = claim(n * p, sizeof *t->x);
    t->code = claim(n * q, sizeof *t->code);
    t->count = claim(n, sizeof *t->count);
    t->negative = claim(n, sizeof *t->negative);
    t->place = claim(n, sizeof *t->place);
    t->leaf = claim(t->leaves, sizeof *t->leaf);
    t->box = claim(t->leaves * p * 2, sizeof *t->box);
    t->low = claim(t->leaves * p, sizeof *t->low);
    t->high = claim(t->leaves * p, sizeof *t->high);
    t->codes = claim(t->leaves * q, sizeof *t->codes);
    t->varies = claim(t->leaves * q, sizeof *t->varies);
    t->column = claim(t->leaves * (p + q), sizeof *t->column);
    int ok = t->weight && t->x && t->code && t->count && t->negative && t->place && t->leaf
        && t->box && t->low && t->high && t->codes && t->varies && t->column;
    if (ok) {
        if (q) memcpy(t->weight, weight, (size_t)q * sizeof *weight);
        for (int64_t i = 0; i < n; i++) {
            int64_t from = t->original[i];
            for (int a = 0; a < p; a++) t->x[i * p + a] = x[from * p + a];
            for (int j = 0; j < q; j++) {
                t->code[i * q + j] = code[from * q + j];
                t->loose |= (uint32_t)code[from * q + j] + 1u > UINT16_MAX;
            }
            t->count[i] = count[from];
            t->negative[i] = negative[from];
            t->place[from] = (uint32_t)i;
            t->people += count[from];
            t->unit &= count[from] == 1;
        }
        int64_t slab = 0;
        int columns = 0;
        for (int64_t l = 0; l < t->leaves; l++) {
            t->leaf[l].first = l ? ends[l - 1] : 0;
            t->leaf[l].size = (int)(ends[l] - t->leaf[l].first);
            t->leaf[l].slab = slab;
            int active = describe_leaf(t, l, columns);
            columns += active;
            slab += (int64_t)((t->leaf[l].size + BLOCK - 1) / BLOCK) * active * BLOCK;
        }
        t->slab_memory = calloc((size_t)slab * sizeof *t->slab + 64, 1);
        ok = t->slab_memory != NULL;
        t->slab = (int16_t *)(((uintptr_t)t->slab_memory + 63) & ~(uintptr_t)63);
        for (int64_t l = 0; ok && l < t->leaves; l++) fill_slab(t, l);
    }
    free(ends);
    if (!ok) { kn_free(t); return NULL; }
    return t;
}

/* ---- one centre's candidates ---- */

typedef struct {
    const double *x; const int32_t *code;
    uint32_t *bound;     /* float upper bounds on d, as bits: non-negative floats sort as integers */
    uint32_t *point;     /* whose */
    int64_t n, room, next; /* next: shrink when this many are there */
    double radius;       /* looked within: a guess, until `shrink` or `finish` proves it */
    double safe;         /* `need` people are known to be within, or it is the search's limit */
    double neighbour;    /* the radius that the guess came from, or 0 */
    double error;        /* no bound is farther than this above its distance */
} Centre;

static inline uint32_t bits_of(double upper)
{
    float value = (float)(upper * (1.0 + 2.4e-7)) + FLT_MIN; /* rounds up */
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double value_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double distance(int p, int q, const double *weight, const double *x,
                              const int32_t *code, const double *y, const int32_t *other)
{
    double d = 0.0;
    for (int a = 0; a < p; a++) d += fabs(x[a] - y[a]);
    for (int j = 0; j < q; j++) d += code[j] != other[j] ? weight[j] : 0.0;
    return d;
}

static double reach(double radius) { return radius + SLACK + radius * RELATIVE; }

/* Take the smallest radius the bounds allow, and drop who is surely outside it. */
static void shrink(const Index *t, Centre *c, int64_t need, int by_points)
{
    uint32_t people[BUCKETS] = {0}, most = 0, floor = UINT32_MAX;
    for (int64_t i = 0; i < c->n; i++) {
        most = c->bound[i] > most ? c->bound[i] : most;
        floor = c->bound[i] < floor ? c->bound[i] : floor;
    }
    /* buckets of equal width in bits, over the last three powers of two at most */
    if (most > 3u << 23 && floor < most - (3u << 23)) floor = most - (3u << 23);
    int shift = 0, b = 0;
    while ((most - floor) >> shift >= BUCKETS) shift++;
    for (int64_t i = 0; i < c->n; i++) {
        uint32_t over = c->bound[i] > floor ? c->bound[i] - floor : 0;
        people[over >> shift] += by_points || t->unit ? 1 : (uint32_t)t->count[c->point[i]];
    }
    int64_t held = 0;
    while (b < BUCKETS && (held += people[b]) < need) b++;
    if (b < BUCKETS) {
        uint32_t edge = floor + (((uint32_t)b + 1) << shift) - 1;
        double radius = value_of(edge < most ? edge : most);
        if (radius < c->safe) c->safe = radius;
        if (radius < c->radius) c->radius = radius;
        uint32_t keep = bits_of((reach(c->radius) + c->error) * (1.0 + 1e-6));
        int64_t kept = 0;
        for (int64_t i = 0; i < c->n; i++) {
            uint32_t bound = c->bound[i];
            c->bound[kept] = bound;
            c->point[kept] = c->point[i];
            kept += bound <= keep;
        }
        c->n = kept;
    }
    c->next = c->n + (c->n > 256 ? c->n / 2 : 128);
}

static int make_room(Centre *c, int64_t more)
{
    if (c->n + more <= c->room) return 0;
    int64_t room = 2 * c->room + more;
    uint32_t *bound = realloc(c->bound, (size_t)room * sizeof *bound);
    if (bound) c->bound = bound;
    uint32_t *point = realloc(c->point, (size_t)room * sizeof *point);
    if (point) c->point = point;
    if (!bound || !point) return -1;
    c->room = room;
    return 0;
}

/* Sums of grid differences of one block; returns who is within `limit`, a bit a point. */
static inline uint64_t scan_block(const Lanes *slab, int numeric, int nominal, const int16_t *at,
                                  const int16_t *step, int16_t limit, Lanes *sums)
{
    Lanes s[4] = {{0}}, near[4];
    for (int c = 0; c < numeric; c++, slab += 4)
        for (int v = 0; v < 4; v++) {
            Lanes d = at[c] - slab[v], sign = d >> 15;
            s[v] += (d ^ sign) - sign;
        }
    for (int c = numeric; c < numeric + nominal; c++, slab += 4)
        for (int v = 0; v < 4; v++) s[v] += (slab[v] != at[c]) & step[c];
    for (int v = 0; v < 4; v++) near[v] = s[v] <= limit;
    uint64_t words[16], bits = 0;
    Lanes any = (near[0] | near[1]) | (near[2] | near[3]);
    memcpy(words, &any, sizeof any);
    if (!(words[0] | words[1] | words[2] | words[3])) return 0;
    memcpy(sums, s, sizeof s);
    memcpy(words, near, sizeof near);
    for (int w = 0; w < 16; w++) /* four lanes of ones or zeros make four bits */
        bits |= ((words[w] & 0x0008000400020001ull) * 0x0001000100010001ull >> 48) << (4 * w);
    return bits;
}

/* Scan a leaf for one centre; `base` is what its box and constant columns already cost. */
static int scan_leaf(const Index *t, int64_t l, Centre *c, double base, int16_t *at, int16_t *step)
{
    const Leaf *leaf = &t->leaf[l];
    int numeric = leaf->numeric, active = numeric + leaf->nominal;
    const int *column = t->column + leaf->columns;
    const double *box = t->box + l * t->p * 2;
    /* on a grid too coarse for this radius, bounds are worth less than the distance itself */
    int coarse = t->loose || leaf->error > 0.02 * c->radius;
    for (int k = 0; k < numeric; k++) {
        double v = c->x[column[k]], lo = box[2 * column[k]], hi = box[2 * column[k] + 1];
        v = v < lo ? lo : v > hi ? hi : v;
        at[k] = (int16_t)((v - lo) * leaf->inverse);
    }
    for (int k = numeric; k < active; k++) {
        at[k] = (int16_t)(uint16_t)c->code[column[k]];
        coarse |= (uint32_t)c->code[column[k]] + 1u > UINT16_MAX;
        step[k] = (int16_t)(t->weight[column[k]] * leaf->inverse);
    }
    if (make_room(c, leaf->size + BLOCK)) return -1;
    double left = (reach(c->radius) - base + leaf->error) * leaf->inverse;
    int16_t limit = left < GRID ? (int16_t)left : INT16_MAX;
    double upper = base + leaf->error;
    if (!coarse && 2 * leaf->error > c->error) c->error = 2 * leaf->error;
    for (int b = 0; b < leaf->size; b += BLOCK) {
        union { Lanes lanes[4]; int16_t of[BLOCK]; } sums;
        uint64_t near = scan_block((const Lanes *)(t->slab + leaf->slab + (int64_t)b * active),
                                   numeric, leaf->nominal, at, step, limit, sums.lanes);
        if (leaf->size - b < BLOCK) near &= (1ull << (leaf->size - b)) - 1;
        int64_t n = c->n;
        for (; near; near &= near - 1) {
            int i = __builtin_ctzll(near);
            int64_t point = leaf->first + b + i;
            double d = coarse ? distance(t->p, t->q, t->weight, c->x, c->code, t->x + point * t->p,
                                         t->code + point * t->q)
                              : upper + sums.of[i] * leaf->step;
            c->bound[n] = bits_of(d);
            c->point[n++] = (uint32_t)point;
        }
        c->n = n;
    }
    return 0;
}

/* ---- sorting by distance, then point ---- */

static inline int before(Keyed a, Keyed b)
{
    return a.key < b.key || (a.key == b.key && a.id < b.id);
}

static int compare_keyed(const void *a, const void *b)
{
    return before(*(const Keyed *)b, *(const Keyed *)a) - before(*(const Keyed *)a, *(const Keyed *)b);
}

/* Buckets of equal width, then insertion; crowded buckets by qsort. The result is in `to`.
 * starts: room for SPREAD * n + 2. */
static void sort_keyed(const Keyed *a, int64_t n, double least, double most, Keyed *to,
                       uint32_t *starts)
{
    if (!n) return;
    int64_t buckets = SPREAD * n;
    double scale = (double)(buckets - 1) / (most - least);
    if (!(scale < 1e300)) scale = 0.0;
    memset(starts, 0, (size_t)(buckets + 2) * sizeof *starts);
    for (int64_t i = 0; i < n; i++) starts[(int64_t)((a[i].key - least) * scale) + 2]++;
    uint32_t crowd = 0;
    for (int64_t b = 2; b < buckets + 2; b++) {
        crowd = starts[b] > crowd ? starts[b] : crowd;
        starts[b] += starts[b - 1];
    }
    for (int64_t i = 0; i < n; i++)
        to[starts[(int64_t)((a[i].key - least) * scale) + 1]++] = a[i];
    for (int64_t b = 0; crowd > 32 && b < buckets; b++)
        if (starts[b + 1] - starts[b] > 32)
            qsort(to + starts[b], starts[b + 1] - starts[b], sizeof *to, compare_keyed);
    for (int64_t i = 1; i < n; i++) {
        if (!before(to[i], to[i - 1])) continue;
        Keyed v = to[i];
        int64_t j = i;
        for (; j > 0 && before(v, to[j - 1]); j--) to[j] = to[j - 1];
        to[j] = v;
    }
}

/* ---- search ---- */

typedef struct {
    const Index *t;
    int64_t need;        /* people to be held, the centre's own included */
    int by_points;       /* count points, not people */
    double limit;        /* nobody beyond, or INFINITY */
    double drift;        /* how much radii of neighbouring centres differ, on average */
    int16_t *at, *step;  /* a centre on a leaf's grid */
    double *lanes;       /* [p][BATCH] coordinates of the batch */
    Keyed *leaves, *near, *scratch; /* leaves to visit; one centre's points; both sorted */
    uint32_t *starts;
    int64_t sort_room, n_near;
    Centre centre[BATCH];
} Search;

static int search_room(Search *s, int64_t n)
{
    if (n <= s->sort_room) return 0;
    int64_t room = 2 * n;
    free(s->near); free(s->scratch); free(s->starts);
    s->near = claim(room, sizeof *s->near);
    s->scratch = claim(room, sizeof *s->scratch);
    s->starts = claim(SPREAD * room + 2, sizeof *s->starts);
    s->sort_room = room;
    return s->near && s->scratch && s->starts ? 0 : -1;
}

static void search_close(Search *s)
{
    for (int g = 0; g < BATCH; g++) { free(s->centre[g].bound); free(s->centre[g].point); }
    free(s->at); free(s->step); free(s->lanes); free(s->leaves);
    free(s->near); free(s->scratch); free(s->starts);
}

static int search_open(Search *s, const Index *t, int64_t need, int by_points, double limit)
{
    memset(s, 0, sizeof *s);
    s->t = t; s->need = need; s->by_points = by_points; s->limit = limit; s->drift = 0.1;
    s->at = claim(t->p + t->q, sizeof *s->at);
    s->step = claim(t->p + t->q, sizeof *s->step);
    s->lanes = claim((int64_t)t->p * BATCH, sizeof *s->lanes);
    s->leaves = claim(t->leaves, sizeof *s->leaves);
    int ok = s->at && s->step && s->lanes && s->leaves;
    for (int g = 0; ok && g < BATCH; g++) ok = !make_room(&s->centre[g], 2048);
    return ok ? search_room(s, t->leaves > 4096 ? t->leaves : 4096) : -1;
}

/* The leaves that may matter to a batch, nearest first: distances from its box to theirs. */
static int64_t list_leaves(Search *s, const Centre *centre, int n, double farthest)
{
    const Index *t = s->t;
    int64_t listed = 0;
    double bound[256], most = 0.0;
    for (int64_t from = 0; from < t->leaves; from += 256) {
        int chunk = t->leaves - from < 256 ? (int)(t->leaves - from) : 256;
        for (int i = 0; i < chunk; i++) bound[i] = 0.0;
        for (int a = 0; a < t->p; a++) {
            double lo = centre[0].x[a], hi = lo;
            for (int g = 1; g < n; g++) {
                lo = centre[g].x[a] < lo ? centre[g].x[a] : lo;
                hi = centre[g].x[a] > hi ? centre[g].x[a] : hi;
            }
            const double *low = t->low + a * t->leaves + from;
            const double *high = t->high + a * t->leaves + from;
            for (int i = 0; i < chunk; i++) {
                double u = low[i] - hi, v = lo - high[i];
                u = u > v ? u : v;
                bound[i] += u > 0.0 ? u : 0.0;
            }
        }
        for (int j = 0; j < t->q; j++) {
            uint64_t codes = 0;
            for (int g = 0; g < n; g++) codes |= 1ull << (centre[g].code[j] & 63);
            const uint64_t *there = t->codes + j * t->leaves + from;
            for (int i = 0; i < chunk; i++) bound[i] += there[i] & codes ? 0.0 : t->weight[j];
        }
        for (int i = 0; i < chunk; i++)
            if (bound[i] <= farthest) {
                most = bound[i] > most ? bound[i] : most;
                s->scratch[listed].key = bound[i];
                s->scratch[listed++].id = (uint32_t)(from + i);
            }
    }
    sort_keyed(s->scratch, listed, 0.0, most, s->leaves, s->starts);
    return listed;
}

/* Collect candidates of n centres; with `fixed`, everyone within the given radius. */
static int collect(Search *s, Centre *centre, int n, int fixed)
{
    const Index *t = s->t;
    double farthest = 0.0;
    for (int g = 0; g < BATCH; g++) {
        const Centre *c = &centre[g < n ? g : 0];
        for (int a = 0; a < t->p; a++) s->lanes[a * BATCH + g] = c->x[a];
        if (g >= n) continue;
        centre[g].n = 0;
        centre[g].error = 0.0;
        centre[g].next = c->radius < INFINITY ? 2 * s->need + 128 : s->need;
        farthest = c->radius > farthest ? c->radius : farthest;
    }
    int64_t listed = list_leaves(s, centre, n, reach(farthest));
    for (int64_t v = 0; v < listed; v++) {
        int64_t l = s->leaves[v].id;
        if (v % 8 == 0) {
            farthest = 0.0;
            for (int g = 0; g < n; g++)
                farthest = centre[g].radius > farthest ? centre[g].radius : farthest;
        }
        if (s->leaves[v].key > reach(farthest)) break;
        double base[BATCH] = {0.0};
        const double *box = t->box + l * t->p * 2;
        for (int a = 0; a < t->p; a++)
            for (int g = 0; g < BATCH; g++) {
                double x = s->lanes[a * BATCH + g], u = box[2 * a] - x, w = x - box[2 * a + 1];
                u = u > w ? u : w;
                base[g] += u > 0.0 ? u : 0.0;
            }
        for (int g = 0; g < n; g++) {
            Centre *c = &centre[g];
            double lower = 0.0; /* varying codes: for the bound only, the scan adds them */
            for (int j = 0; j < t->q; j++)
                if (!t->varies[l * t->q + j])
                    base[g] += t->code[t->leaf[l].first * t->q + j] != c->code[j] ? t->weight[j] : 0;
                else if (!(t->codes[j * t->leaves + l] >> (c->code[j] & 63) & 1))
                    lower += t->weight[j];
            if (base[g] + lower > reach(c->radius)) continue;
            if (scan_leaf(t, l, c, base[g], s->at, s->step)) return -1;
            if (!fixed && c->n >= c->next) shrink(t, c, s->need, s->by_points);
        }
    }
    return 0;
}

/* Exact distances of a centre's candidates, sorted, up to `until`, within which all are known. */
static int settle(Search *s, Centre *c, double until)
{
    if (search_room(s, c->n)) return -1;
    const Index *t = s->t;
    const int p = t->p, q = t->q;
    const double *x = c->x, *y = t->x, *weight = t->weight, end = until < s->limit ? until : s->limit;
    const int32_t *code = c->code, *other = t->code, *negative = t->negative;
    Keyed *restrict to = s->scratch;
    double least = DBL_MAX, most = 0.0;
    int64_t n = 0;
    for (int64_t i = 0; i < c->n; i++) {
        int64_t point = c->point[i];
        double d = distance(p, q, weight, x, code, y + point * p, other + point * q);
        to[n].key = d;
        to[n].id = (uint32_t)point;
        to[n].extra = (uint32_t)negative[point];
        if (d > end) continue;
        least = d < least ? d : least;
        most = d > most ? d : most;
        n++;
    }
    s->n_near = n;
    sort_keyed(s->scratch, n, least, most, s->near, s->starts);
    return 0;
}

/* After `collect`: leave in s->near the points with the nearest `need` people, and all tied with
 * the last of them by a chain of gaps < TOLERANCE. `radius` becomes the exact distance of that
 * last person, or the limit where there are fewer. */
static int finish(Search *s, Centre *c)
{
    double until, more = 2 * SLACK;
    int64_t last, end;
    for (;;) {
        if (c->n > s->need + s->need / 8) shrink(s->t, c, s->need, s->by_points);
        until = reach(c->radius);
        if (settle(s, c, until)) return -1;
        int64_t people = 0;
        for (last = 0; last < s->n_near; last++)
            if ((people += s->by_points ? 1 : s->t->count[s->near[last].id]) >= s->need) break;
        if (last < s->n_near || c->radius >= c->safe) break;
        c->radius = c->safe; /* the guess was too small */
        if (collect(s, c, 1, 0)) return -1;
    }
    if (last == s->n_near) { c->radius = s->limit; return 0; }
    c->radius = s->near[last].key;
    if (c->neighbour > 0.0)
        s->drift += 0.05 * (fmin(fabs(c->radius / c->neighbour - 1.0), 1.0) - s->drift);
    for (end = last + 1;; more *= 4) {
        while (end < s->n_near && s->near[end].key - s->near[end - 1].key < TOLERANCE) end++;
        double tie = s->near[end - 1].key;
        if (end < s->n_near || until >= s->limit || until - tie > 1.001 * TOLERANCE) break;
        double radius = c->radius; /* the chain may go on: look farther */
        c->radius = until = tie + more;
        if (collect(s, c, 1, 1) || settle(s, c, until)) return -1;
        c->radius = radius;
    }
    s->n_near = end;
    return 0;
}

/* Point the batch's centres at their coordinates, with a first radius from the batch before. */
static int next_batch(Search *s, const double *x, const int32_t *code, int64_t from, int64_t n)
{
    const Index *t = s->t;
    int taken = n - from < BATCH ? (int)(n - from) : BATCH;
    Centre old[BATCH];
    memcpy(old, s->centre, sizeof old);
    for (int g = 0; g < taken; g++) {
        Centre *c = &s->centre[g];
        c->x = x + (from + g) * t->p;
        c->code = code + (from + g) * t->q;
        c->safe = s->limit;
        c->neighbour = 0.0;
        for (int o = 0; from && o < BATCH; o++)
            if (old[o].radius < c->safe) {
                double d = distance(t->p, t->q, t->weight, old[o].x, old[o].code, c->x, c->code);
                if ((old[o].radius + d) * (1.0 + RELATIVE) >= c->safe) continue;
                c->safe = (old[o].radius + d) * (1.0 + RELATIVE);
                c->neighbour = old[o].radius;
            }
        double guess = c->neighbour * (1.0 + 3.0 * s->drift);
        c->radius = c->neighbour > 0.0 && guess < c->safe ? guess : c->safe;
    }
    return taken;
}

/* ---- what callers ask for ---- */

/* Distances and points of each centre's k nearest points, [n][k]; k <= points. */
int kn_nearest(const Index *t, int64_t n, const double *x, const int32_t *code, int64_t k,
               double *distance, int64_t *point)
{
    Search s;
    int failed = search_open(&s, t, k, 1, INFINITY);
    for (int64_t from = 0; !failed && from < n; from += BATCH) {
        int taken = next_batch(&s, x, code, from, n);
        failed = collect(&s, s.centre, taken, 0);
        for (int g = 0; !failed && g < taken; g++) {
            failed = finish(&s, &s.centre[g]);
            for (int64_t i = 0; !failed && i < k; i++) {
                distance[(from + g) * k + i] = s.near[i].key;
                point[(from + g) * k + i] = t->original[s.near[i].id];
            }
        }
    }
    search_close(&s);
    return failed;
}

/* Read one centre's curve from s->near: for each k the lowest and highest, or if `expected` is
 * given that one. Returns whether any tie leaves the count open. */
static int read_curve(const Search *s, int64_t own, int own_negative, int64_t k_max,
                      uint32_t *restrict low, uint32_t *restrict high, double *restrict expected,
                      int64_t *reached)
{
    const Index *t = s->t;
    const Keyed *near = s->near;
    int64_t people = 0, refused = 0;
    int open = 0;
    for (int64_t i = 0, j; i < s->n_near && people < k_max; i = j) {
        int64_t tied = 0, against = 0;
        j = i;
        do {
            int mine = (int64_t)near[j].id == own;
            tied += (t->unit ? 1 : t->count[near[j].id]) - mine;
            against += near[j].extra - (mine && own_negative);
            j++;
        } while (j < s->n_near && near[j].key - near[j - 1].key < TOLERANCE);
        if (tied == 1 && !expected) { /* the common case */
            refused += against;
            low[people] = high[people] = (uint32_t)refused;
            people++;
            continue;
        }
        int64_t take = tied < k_max - people ? tied : k_max - people;
        double share = tied ? (double)against / (double)tied : 0.0;
        open |= against > 0 && against < tied;
        for (int64_t o = 1; o <= take; o++, people++) {
            int64_t sure = o - (tied - against);
            if (expected) { expected[people] = (double)refused + (double)o * share; continue; }
            low[people] = (uint32_t)(refused + (sure > 0 ? sure : 0));
            high[people] = (uint32_t)(refused + (o < against ? o : against));
        }
        refused += against;
    }
    *reached = people;
    for (int64_t k = people; k < k_max; k++) {
        if (expected) expected[k] = people ? expected[people - 1] : 0.0;
        else low[k] = people ? low[people - 1] : 0, high[k] = people ? high[people - 1] : 0;
    }
    return open;
}

static void put_block(void *out, int wide, int64_t ld, int64_t from, int taken, int64_t k_max,
                      const uint32_t *rows)
{
    uint32_t *to32 = (uint32_t *)out + from;
    uint16_t *to16 = (uint16_t *)out + from;
    for (int64_t k = 0; k < k_max; k++)
        if (wide) for (int g = 0; g < taken; g++) to32[k * ld + g] = rows[g * k_max + k];
        else for (int g = 0; g < taken; g++) to16[k * ld + g] = (uint16_t)rows[g * k_max + k];
}

/* Negatives among each centre's k nearest people, k = 1 .. k_max.
 *
 * own_point[n] (or NULL): the caller's number of the point that the centre's own person, left
 * out, stands on, or -1; own_negative[n]: whether that person's decision is negative.
 * max_distance: INFINITY for none.
 * lowest, highest: k-major, entry (k, centre) at [(k - 1) * ld + centre]; uint32 if wide, else
 * uint16. tied[n]: the centre's row in `expected` ([n][k_max], filled from the top), or -1 when
 * ties leave nothing open and lowest = highest = expected. available[n]: people who could be
 * neighbours; with a max_distance, counted up to k_max. Returns the rows used in `expected`. */
int64_t kn_curves(const Index *t, int64_t n, const double *x, const int32_t *code,
                  const int64_t *own_point, const uint8_t *own_negative, int64_t k_max,
                  double max_distance, int64_t ld, int wide, void *lowest, void *highest,
                  double *expected, int32_t *tied, int64_t *available)
{
    Search s;
    int64_t rows = 0;
    double limit = max_distance + TOLERANCE;
    int failed = search_open(&s, t, k_max + (own_point != NULL), 0, limit);
    uint32_t *low = claim(BATCH * k_max, sizeof *low), *high = claim(BATCH * k_max, sizeof *high);
    failed |= !low || !high;
    for (int64_t from = 0; !failed && from < n; from += BATCH) {
        int taken = next_batch(&s, x, code, from, n);
        failed = collect(&s, s.centre, taken, 0);
        for (int g = 0; !failed && g < taken; g++) {
            int64_t own = own_point ? own_point[from + g] : -1, reached = 0;
            if ((failed = finish(&s, &s.centre[g]))) break;
            int64_t place = own < 0 ? -1 : (int64_t)t->place[own];
            int lost = own >= 0 && own_negative[from + g]; /* a negative decision, left out */
            tied[from + g] = -1;
            if (read_curve(&s, place, lost, k_max, low + g * k_max, high + g * k_max, NULL,
                           &reached)) {
                tied[from + g] = (int32_t)rows;
                read_curve(&s, place, lost, k_max, NULL, NULL, expected + rows++ * k_max, &reached);
            }
            available[from + g] = limit < INFINITY ? reached : t->people - (own >= 0);
        }
        put_block(lowest, wide, ld, from, taken, k_max, low);
        put_block(highest, wide, ld, from, taken, k_max, high);
    }
    free(low); free(high);
    search_close(&s);
    return failed ? -1 : rows;
}
