package dev.touchstone.benchmarks.index.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import dev.touchstone.benchmarks.index.peer.IndexSearchAdapter;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.hazelcast.ReplicatedPriceIndex;
import dev.touchstone.index.price.PriceQuery;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A question that the replica of another member answers: for a search, or when it shows a version. */
final class ReplicaQuestion implements Callable<Long>, Serializable, HazelcastInstanceAware {
    static final String CONTEXT = "touchstone.replica";

    private static final long serialVersionUID = 1;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final long version;
    private final @Nullable String offering;
    private final HashMap<String, String> conditions;
    private transient @Nullable HazelcastInstance member;

    private ReplicaQuestion(long version, @Nullable String offering, Map<String, String> conditions) {
        this.version = version;
        this.offering = offering;
        this.conditions = new HashMap<>(conditions);
    }

    /** Returns the question when the replica shows a version. */
    static ReplicaQuestion version(long version) {
        return new ReplicaQuestion(version, null, Map.of());
    }

    /** Returns the question for the answer to a request that asks for strings. */
    static ReplicaQuestion search(SearchRequest request) {
        return new ReplicaQuestion(0, request.offering(), Conditions.of(request));
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance instance) {
        member = instance;
    }

    @Override
    public Long call() throws IOException, InterruptedException {
        HazelcastInstance here = Objects.requireNonNull(member, "member");
        ReplicatedPriceIndex replica = (ReplicatedPriceIndex)
                Objects.requireNonNull(here.getUserContext().get(CONTEXT), "replica");
        if (!replica.awaitVersion(version, PATIENCE)) {
            throw new IOException("replica does not show the version: version=" + version + " " + replica.status());
        }
        if (offering == null) {
            return version;
        }
        PriceQuery query = replica.index().query().policy(MatchPolicy.ALL).limit(1);
        query.offering(offering);
        conditions.forEach(query::eq);
        return IndexSearchAdapter.answer(replica.index().search(query));
    }
}
