package dev.touchstone.samples.consumer;

import dev.touchstone.serialization.annotation.Compact;

/** A record whose codec the annotation processor generates. */
@Compact("city")
record City(String name, int inhabitants) {}
