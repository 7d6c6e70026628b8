package dev.touchstone.builds;

/**
 * Describes a job in a list of jobs. Immutable.
 *
 * @param owner name of the token that has submitted it; empty for the token that all share
 * @param repository URL of the sources
 * @param branch branch of the sources
 * @param script path of the script in the sources
 * @param status where it is; not null
 */
public record BuildSummary(String owner, String repository, String branch, String script, BuildStatus status) {}
