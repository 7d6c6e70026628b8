package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.JRaftServiceFactory;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Storages of a member's node.
 *
 * @param factory makes them
 * @param failure returns why the log's storage has failed, which jraft does not tell; null if it has not
 */
public record Storages(JRaftServiceFactory factory, Supplier<@Nullable IOException> failure) {}
