package dev.touchstone.queue.replicated.link;

/**
 * The news of the group in a request of a leader.
 *
 * @param leader address of the leader
 * @param term number of its leadership
 * @param committedIndex index up to which it knows that a majority has the entries
 */
public record LeaderNews(String leader, long term, long committedIndex) {}
