/** Decides who may do what at a master: tokens, the names and roles that they stand for, and the file that lists them. */
@NullMarked
package dev.touchstone.builds.access;

import org.jspecify.annotations.NullMarked;
