"""Language models: what they are asked, how they are found, loaded and run."""

import os

# llama.cpp's threads meet some thousand times in one decode call. By default OpenMP lets those
# that wait spin, which on a machine with anything else to do can be a hundred times slower than
# letting them sleep, and no faster otherwise. OpenMP reads this once, when it is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
