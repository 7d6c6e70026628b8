package dev.touchstone.harness.store;

/**
 * What other processes did while a fork ran, from {@code /proc}; -1 where the system does not tell.
 *
 * @param foreignCpuCores mean number of cores that processes other than this run's used
 * @param stealPercent share of CPU time taken by the hypervisor
 * @param pressureCpuPercent share of time in which some task waited for a CPU ({@code /proc/pressure/cpu}, {@code some})
 * @param pressureIoPercent the same for {@code /proc/pressure/io}
 */
public record Noise(double foreignCpuCores, double stealPercent, double pressureCpuPercent, double pressureIoPercent) {}
