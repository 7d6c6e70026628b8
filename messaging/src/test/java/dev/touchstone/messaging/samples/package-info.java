/** How the node is used: each class is one recipe, compiled and run with the tests. What is a node of ours here may be Erlang's. */
@NullMarked
package dev.touchstone.messaging.samples;

import org.jspecify.annotations.NullMarked;
