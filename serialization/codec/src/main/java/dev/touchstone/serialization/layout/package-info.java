/** Where things stand in a record's bytes. Knows numbers only: nothing here is checked, and nothing here throws for what the bytes say. */
@NullMarked
package dev.touchstone.serialization.layout;

import org.jspecify.annotations.NullMarked;
