/** Reading of a folder that another process may be writing: nothing here takes the log's lock or writes. */
@NullMarked
package dev.touchstone.queue.log.inspect;

import org.jspecify.annotations.NullMarked;
