/** Files and folders that only their owner may use, for all rooms of the module. */
@NullMarked
package dev.touchstone.builds.file;

import org.jspecify.annotations.NullMarked;
