"""What `make bench` runs: the package beside its peers, in one run, as ratios. Never part of `make test`."""
