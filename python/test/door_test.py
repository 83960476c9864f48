"""What the package asks of its surroundings: as little as it can."""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest
from program import example

import salvo

PACKAGE = str(pathlib.Path(salvo.__file__).parents[1])


def run(script, *options):
    return subprocess.run([sys.executable, *options, "-c", textwrap.dedent(script)], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": PACKAGE})


def test_importing_it_imports_nothing_large():
    done = run("import salvo, sys; print(*[name for name in ('numpy', 'pandas', 'scipy', 'matplotlib', 'IPython') if name in sys.modules])")
    assert done.stdout.strip() == "" and done.returncode == 0


def test_no_warning_is_given_where_nothing_is_wrong():
    done = run(f"""
    import salvo
    p = salvo.read({example('lotka-volterra')!r})
    fit = p.fit(starts=2); fit.estimates; p.simulate(values=fit); p.objective().hessian(fit.theta); p.study(fit, replicates=2); p.check()
    """, "-W", "error", "-X", "dev")
    assert done.returncode == 0 and done.stderr == "", done.stderr


def test_without_pandas_tables_are_columns():
    done = run(f"""
    import sys
    sys.modules["pandas"] = None
    import salvo
    p = salvo.read({example('lotka-volterra')!r})
    fit = p.fit()
    assert isinstance(fit.estimates, dict) and isinstance(p.measurements, dict) and isinstance(p.simulate().table, dict)
    print(repr(p))
    """)
    assert done.returncode == 0, done.stderr


def test_nothing_is_drawn_where_nobody_looks():
    done = run(f"""
    import salvo
    salvo.read({example('lotka-volterra')!r}).fit(starts=40, max_time=3, progress=True)
    """)
    assert done.returncode == 0 and done.stdout == done.stderr == ""


def test_a_terminal_shows_how_far_it_is():
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    script = f"import salvo; salvo.read({example('lotka-volterra')!r}).fit(starts=5000, max_time=2.5)"
    done = subprocess.Popen([sys.executable, "-c", script], stderr=slave, env={**os.environ, "PYTHONPATH": PACKAGE})
    assert done.wait() == 0
    os.close(slave)
    seen = os.read(master, 1 << 20).decode()
    os.close(master)
    assert "starts [" in seen and "/5000" in seen
    assert seen.endswith("\r\x1b[K")  # nothing is left of it


@pytest.mark.parametrize("first", ["numba", "torch", "llvmlite"])
def test_other_compilers_may_be_there_first(first):
    pytest.importorskip(first, reason=f"{first} is missing")
    done = run(f"""
    import {first}, salvo
    if "{first}" == "numba":
        import numba
        assert numba.njit(lambda x: x + 1)(1) == 2
    assert salvo.read({example('robertson')!r}).fit().status
    f = salvo.read({example('robertson')!r}).objective()
    assert f(f.start) < float("inf")
    """)
    assert done.returncode == 0, done.stderr


def test_one_symbol_is_seen_from_outside():
    library = salvo._core.__file__
    done = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip("nm is missing")
    strong = [line.split()[-1] for line in done.stdout.splitlines() if line.split()[-2] in "TDBR"]
    assert strong == ["PyInit__core"]


def test_a_broken_rule_of_its_own_is_an_exception():
    with pytest.raises(salvo.InternalError, match="internal error"):
        salvo._core.break_a_rule()
