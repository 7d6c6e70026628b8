"""Makes otava-series.txt: series of nights and where Apache Otava sees their level change.

Run with: python3 -m venv v && v/bin/pip install apache-otava==0.8.0 && v/bin/python otava-series.py > otava-series.txt
"""
import random
from importlib.metadata import version

from otava.analysis import compute_change_points, compute_change_points_orig

SHAPES = [
    [(60, 100)],
    [(30, 100), (30, 105)],
    [(30, 100), (30, 95)],
    [(40, 100), (20, 110)],
    [(15, 100), (45, 92)],
    [(20, 100), (20, 110), (20, 100)],
    [(20, 100), (20, 106), (20, 112)],
    [(50, 100), (10, 120)],
    [(10, 100), (50, 80)],
    [(25, 100), (25, 108), (25, 90), (25, 100)],
]
NOISE = [0.01, 0.02]

print("# noise|where Otava " + version("apache-otava") + " sees changes|where its E-divisive alone does|values")
for noise in NOISE:
    for number, shape in enumerate(SHAPES):
        draw = random.Random(1000 * noise + number)
        values = [round(level * (1 + draw.gauss(0, noise)), 4) for nights, level in shape for _ in range(nights)]
        points = [point.index for point in compute_change_points(values)[0]]
        original = [point.index for point in compute_change_points_orig(values, max_pvalue=0.01)[0]]
        print(noise, *(",".join(map(str, some)) for some in (points, original, values)), sep="|")
