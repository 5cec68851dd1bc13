"""Tests of bundles and manifests."""
