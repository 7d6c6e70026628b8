/** The scripts and workflows that run the harness. */
@NullMarked
package dev.touchstone.harness.scripts;

import org.jspecify.annotations.NullMarked;
