package dev.touchstone.benchmarks.index.cluster;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.benchmarks.index.peer.SearchUnderTest;
import dev.touchstone.index.Price;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * The prices of one subject in a Hazelcast cluster. {@link PriceCluster} calls the first methods in their order, in the JVM of each member; then one
 * thread searches and changes the prices.
 */
public interface ClusterUnderTest extends Closeable {
    /** Adds what the subject needs to the configuration of a member. */
    default void configure(Config member) {}

    /** Adds what the subject needs to the configuration of a client. */
    default void configure(ClientConfig client) {}

    /** Opens what the subject has on a member, which has joined the members that were started before it. */
    default void join(HazelcastInstance member) throws IOException {}

    /**
     * Searches and changes the prices from a member or a client from now on.
     *
     * @param asking member that {@link #join} has got, or client
     */
    void use(HazelcastInstance asking) throws IOException;

    /** Puts prices into the cluster, which has all its members. */
    void load(Iterable<Price> prices) throws IOException;

    /**
     * Searches, from the strings of a request.
     *
     * @return number of matches and the value of the first one, as {@link SearchUnderTest#answer} packs it
     */
    long search(SearchRequest request) throws IOException;

    /**
     * Searches for several requests, with several of them on their way at a time.
     *
     * @param inFlight maximum number of requests on their way
     * @param answers array for the answers, in the order of the requests
     */
    void searchEach(List<SearchRequest> requests, int inFlight, long[] answers) throws IOException;

    /**
     * Searches for several requests at once, in whichever way is the fastest.
     *
     * @param answers array for the answers, in the order of the requests
     */
    void searchAll(List<SearchRequest> requests, long[] answers) throws IOException;

    /** Replaces prices by others with the same ids, and returns when all members show these. */
    void update(List<Price> prices) throws IOException;

    @Override
    default void close() throws IOException {}
}
