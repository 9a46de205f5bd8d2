"""Classifiers that describe each class by its mean and spread."""
