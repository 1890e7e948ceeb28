/* The innermost loop of planvow's estimates, as planvow/hddl/grounded/relaxation.py specifies it: the same answers,
   the same counts, the same supporters. Nothing here allocates after relaxation_new, and nothing fails. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define UNREACHABLE (1 << 30)
#define NEVER (1 << 20)

typedef struct {
    int32_t atoms, rules, always_count, negated_count, first_false;
    int32_t *body_starts, *bodies, *head_starts, *heads, *need_starts, *needed_by;
    int32_t *owners, *always, *negated;
    int32_t *supporter, *missing, *queue, *pending;
    uint8_t *marked;
} relaxation;

static int32_t *numbers(size_t count) { return calloc(count ? count : 1, sizeof(int32_t)); }

static int32_t *copied(const int32_t *from, size_t count) {
    int32_t *made = numbers(count);
    if (made) memcpy(made, from, count * sizeof(int32_t));
    return made;
}

static void relaxation_free(relaxation *r) {
    int32_t *parts[] = {r->body_starts, r->bodies, r->head_starts, r->heads, r->need_starts, r->needed_by, r->owners,
                        r->always, r->negated, r->supporter, r->missing, r->queue, r->pending};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
    free(r->marked);
    free(r);
}

/* Bodies and heads of all rules in a row; the starts have one number more than there are rules. NULL: no memory. */
static relaxation *relaxation_new(int32_t atoms, int32_t rules, const int32_t *body_starts, const int32_t *bodies,
                                  const int32_t *head_starts, const int32_t *heads, const int32_t *owners,
                                  int32_t negated_count, const int32_t *negated, int32_t first_false) {
    relaxation *r = calloc(1, sizeof(relaxation));
    if (!r) return NULL;
    int32_t conditions = body_starts[rules];
    int32_t larger = atoms > rules ? atoms : rules;
    r->atoms = atoms, r->rules = rules, r->negated_count = negated_count, r->first_false = first_false;
    r->body_starts = copied(body_starts, rules + 1), r->bodies = copied(bodies, conditions);
    r->head_starts = copied(head_starts, rules + 1), r->heads = copied(heads, head_starts[rules]);
    r->owners = copied(owners, rules), r->negated = copied(negated, negated_count);
    r->need_starts = numbers((size_t)atoms + 2), r->needed_by = numbers(conditions);
    r->always = numbers(rules), r->supporter = numbers(atoms), r->missing = numbers(rules);
    r->queue = numbers(atoms), r->pending = numbers(atoms);
    r->marked = calloc((size_t)larger + 1, 1);
    if (!(r->body_starts && r->bodies && r->head_starts && r->heads && r->owners && r->negated && r->need_starts &&
          r->needed_by && r->always && r->supporter && r->missing && r->queue && r->pending && r->marked)) {
        relaxation_free(r);
        return NULL;
    }
    for (int32_t i = 0; i < conditions; i++) r->need_starts[bodies[i] + 2]++;
    for (int32_t a = 0; a < atoms; a++) r->need_starts[a + 2] += r->need_starts[a + 1];
    for (int32_t rule = 0; rule < rules; rule++) {
        if (body_starts[rule] == body_starts[rule + 1]) r->always[r->always_count++] = rule;
        for (int32_t i = body_starts[rule]; i < body_starts[rule + 1]; i++)
            r->needed_by[r->need_starts[bodies[i] + 1]++] = rule;
    }
    return r;
}

static int is_set(const uint8_t *set, int32_t number) { return set[number >> 3] >> (number & 7) & 1; }

/* Make the heads of a rule true; return how many atoms are true now. */
static int32_t fire(relaxation *r, int32_t rule, int32_t reached) {
    for (int32_t i = r->head_starts[rule]; i < r->head_starts[rule + 1]; i++) {
        int32_t head = r->heads[i];
        if (r->supporter[head] == -1) {
            r->supporter[head] = rule;
            r->queue[reached++] = head;
        }
    }
    return reached;
}

/* Fire what can fire until all goals are true; return the conditions met. `state` has a bit for every fact, `below`
   for every task. */
static int64_t explore(relaxation *r, const uint8_t *state, const uint8_t *below, const int32_t *goals, int32_t left) {
    int32_t reached = 0;
    int64_t work = 0;
    for (int32_t atom = 0; atom < r->atoms; atom++) r->supporter[atom] = -1;
    for (int32_t rule = 0; rule < r->rules; rule++)
        r->missing[rule] = r->body_starts[rule + 1] - r->body_starts[rule] + (is_set(below, r->owners[rule]) ? 0 : NEVER);
    for (int32_t fact = 0; fact < r->first_false; fact++)
        if (is_set(state, fact)) r->queue[reached++] = fact;
    for (int32_t i = 0; i < r->negated_count; i++)
        if (!is_set(state, r->negated[i])) r->queue[reached++] = r->first_false + i;
    for (int32_t i = 0; i < reached; i++) r->supporter[r->queue[i]] = -2;
    for (int32_t i = 0; i < r->always_count; i++)
        if (r->missing[r->always[i]] == 0) reached = fire(r, r->always[i], reached);
    for (int32_t next = 0; next < reached; next++) {
        while (left && r->supporter[goals[left - 1]] != -1) left--;
        if (!left) break;
        int32_t from = r->need_starts[r->queue[next]], to = r->need_starts[r->queue[next] + 1];
        work += 1 + to - from;
        for (int32_t i = from; i < to; i++)
            if (--r->missing[r->needed_by[i]] == 0) reached = fire(r, r->needed_by[i], reached);
    }
    return work;
}

/* Return how many rules the goals need, traced back along the supporters, and one for every repeated goal. */
static int32_t traced(relaxation *r, const int32_t *goals, int32_t count) {
    int32_t waiting = 0, used = 0, repeated = 0;
    for (int32_t i = 0; i < count; i++)
        if (r->supporter[goals[i]] == -1) return UNREACHABLE;
    memset(r->marked, 0, r->atoms);
    for (int32_t i = 0; i < count; i++) {
        if (r->marked[goals[i]]) repeated++;
        else r->marked[goals[i]] = 1, r->pending[waiting++] = goals[i];
    }
    /* An atom waits at most once, and a rule is counted with the first of its heads: mark it on its count. */
    while (waiting) {
        int32_t rule = r->supporter[r->pending[--waiting]];
        if (rule < 0 || r->missing[rule] < 0) continue;
        r->missing[rule] = -1;
        used++;
        for (int32_t i = r->body_starts[rule]; i < r->body_starts[rule + 1]; i++) {
            int32_t atom = r->bodies[i];
            if (!r->marked[atom]) r->marked[atom] = 1, r->pending[waiting++] = atom;
        }
    }
    return used + repeated;
}

static int32_t relaxation_estimate(relaxation *r, const uint8_t *state, const uint8_t *below, const int32_t *goals,
                                   int32_t count, int64_t *work) {
    *work += explore(r, state, below, goals, count);
    return traced(r, goals, count);
}

static int32_t relaxation_supporter(const relaxation *r, int32_t atom) { return r->supporter[atom]; }
