/**
 * The part of the harness that goes into a fork: it has the calls of any benchmark come at a fixed rate and keeps how long each took from when it
 * was due. What enters the fork depends on JMH and HdrHistogram alone; ASM stays outside.
 */
@NullMarked
package dev.touchstone.harness.paced;

import org.jspecify.annotations.NullMarked;
