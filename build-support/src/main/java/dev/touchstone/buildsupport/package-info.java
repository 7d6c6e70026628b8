/**
 * The rules that the tests of every module apply. The root pom gives this module to every module that has tests, and has surefire look for
 * test classes in it ({@code dependenciesToScan}), so that a module needs no line of its own for them.
 */
@NullMarked
package dev.touchstone.buildsupport;

import org.jspecify.annotations.NullMarked;
