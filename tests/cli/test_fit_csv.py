"""`mlviz fit --csv`: the table of canvases."""

import csv
import io
import json

from mlviz.cli import main


def test_fit_as_csv_has_a_line_for_each_canvas_with_the_numbers_of_json(tmp_path, capsys):
    path = tmp_path / "two.mlviz"
    panels = [{"algorithm": "svm", "hyperparameters": {"C": C}} for C in (0.1, 10)]
    path.write_text(json.dumps({"format": 1, "source": {"generator": "moons"}, "panels": panels}))
    assert main(["fit", str(path), "--json"]) == 0
    facts = [report["facts"] for report in json.loads(capsys.readouterr().out)]
    assert main(["fit", str(path), "--csv"]) == 0
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [float(line["C"]) for line in lines] == [0.1, 10.0]
    for name in ("training error", "margin width"):
        assert [float(line[name]) for line in lines] == [told[name] for told in facts]
