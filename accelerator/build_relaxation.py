"""What setuptools asks to compile: `relaxation.c` as the module `planvow_accelerator._relaxation`."""

from pathlib import Path

from cffi import FFI

builder = FFI()
builder.cdef(
    """
    typedef struct { ...; } relaxation;
    static relaxation *relaxation_new(int32_t atoms, int32_t rules, const int32_t *body_starts, const int32_t *bodies,
                                      const int32_t *head_starts, const int32_t *heads, const int32_t *owners,
                                      int32_t negated_count, const int32_t *negated, int32_t first_false);
    static void relaxation_free(relaxation *r);
    static int32_t relaxation_estimate(relaxation *r, const uint8_t *state, const uint8_t *below, const int32_t *goals,
                                       int32_t count, int64_t *work);
    static int32_t relaxation_supporter(const relaxation *r, int32_t atom);
    """
)
builder.set_source(
    "planvow_accelerator._relaxation",
    (Path(__file__).parent / "relaxation.c").read_text(encoding="utf-8"),
    extra_compile_args=["-O2"],
    py_limited_api=True,
)
