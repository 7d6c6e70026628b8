@NullMarked
package dev.touchstone.harness.paced;

import org.jspecify.annotations.NullMarked;
