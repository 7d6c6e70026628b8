/** Files and folders of which no other user reads anything, and the names, patterns and walks by which files of builds are found. */
@NullMarked
package dev.touchstone.builds.file;

import org.jspecify.annotations.NullMarked;
