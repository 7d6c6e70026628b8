/**
 * The agent: runs the scripts of jobs on this machine, keeps their logs, and knows nothing of the network that brings the jobs.
 *
 * <p>What it needs stands below it: {@code source} brings a branch's tree into a workspace, {@code process} starts and ends a script with
 * all that it starts, {@code log} holds what the script says.
 */
@NullMarked
package dev.touchstone.builds.agent;

import org.jspecify.annotations.NullMarked;
