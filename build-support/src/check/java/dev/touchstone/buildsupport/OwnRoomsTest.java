package dev.touchstone.buildsupport;

/** This module's own rooms. */
class OwnRoomsTest extends RoomsTest {}
