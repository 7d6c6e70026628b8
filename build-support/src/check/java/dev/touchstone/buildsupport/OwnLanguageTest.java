package dev.touchstone.buildsupport;

/** This module's own language. */
class OwnLanguageTest extends LanguageTest {}
