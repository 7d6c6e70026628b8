package dev.touchstone.builds.agent.process;

/**
 * Names one process among all that ever ran here.
 *
 * @param startTicks when it started, in the kernel's ticks
 * @param bootId of the machine's start that the ticks count from
 */
public record ProcessId(long pid, long startTicks, String bootId) {}
