"""Tables in and out."""

import numpy as np

from salvo import frames


def test_cells_are_read_bit_for_bit():
    table = frames.columns_from_csv("experiment,time,value\nlow,0.1,3.3333333333333335e-309\n12,NA,Inf\n\"a,b\",,-Inf\n")
    assert list(table["experiment"]) == ["low", "12", "a,b"]
    assert table["value"][0] == 3.3333333333333335e-309
    assert np.isnan(table["time"][1]) and np.isnan(table["time"][2]) and table["value"][2] == -np.inf


def test_words_that_a_spreadsheet_would_compute_lose_their_apostrophe():
    table = frames.columns_from_csv("observable,value\n'-Fe,1\n'tis,2\n")
    assert list(table["observable"]) == ["-Fe", "'tis"]


def test_limits_are_numbers_with_a_side():
    table = frames.columns_from_csv("value,time\n<0.1,1\n>50,2\n3,3\n", limits="value")
    assert list(table["value"]) == [0.1, 50, 3]
    assert list(table["censored"]) == ["below", "above", ""]


def test_a_table_without_rows_has_its_columns():
    table = frames.columns_from_csv("experiment,interval,time\n")
    assert {name: len(column) for name, column in table.items()} == {"experiment": 0, "interval": 0, "time": 0}


def test_a_state_may_have_the_name_of_another_column():
    assert list(frames.columns_from_csv("time,interval,interval\n0,1,2.5\n")) == ["time", "interval", "interval.1"]
