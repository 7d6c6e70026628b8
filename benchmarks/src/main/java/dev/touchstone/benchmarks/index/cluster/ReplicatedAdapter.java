package dev.touchstone.benchmarks.index.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.index.Price;
import dev.touchstone.index.hazelcast.Replica;
import dev.touchstone.index.hazelcast.ReplicaOptions;
import dev.touchstone.index.hazelcast.ReplicatedPriceIndex;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Our index with all prices on each member, which searches its own. */
public final class ReplicatedAdapter implements ClusterUnderTest {
    private static final ReplicaOptions OPTIONS = ReplicaOptions.of("prices", 1);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final PriceIndex index;
    private final DirectAdapter searches;
    private @Nullable ReplicatedPriceIndex replicated;
    private HazelcastInstance asking;

    /**
     * Creates the subject.
     *
     * @param index index with the prices on the first member, without prices on others
     */
    @SuppressWarnings("NullAway.Init") // set by use
    public ReplicatedAdapter(PriceIndex index, boolean unusedNearCached) {
        this.index = index;
        searches = new DirectAdapter(index);
    }

    @Override
    public void configure(Config member) {
        ReplicatedPriceIndex.configure(member, OPTIONS);
    }

    @Override
    public void join(HazelcastInstance member) throws IOException {
        ReplicatedPriceIndex opened = ReplicatedPriceIndex.open(member, Replica.inMemory(index), OPTIONS);
        replicated = opened;
        member.getUserContext().put(ReplicaQuestion.CONTEXT, opened);
        try {
            if (!opened.awaitLive(PATIENCE)) {
                throw new IOException("replica is not live: status=" + opened.status());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void use(HazelcastInstance asking) {
        this.asking = asking;
    }

    @Override
    public void load(Iterable<Price> prices) {}

    /** Searches the replica of this member; that of each member for a client, which has none. */
    @Override
    public long search(SearchRequest request) throws IOException {
        if (replicated != null) {
            return searches.search(request);
        }
        List<Long> answers = ask(ReplicaQuestion.search(request));
        if (answers.stream().distinct().count() != 1) {
            throw new IOException("members differ: answers=" + answers);
        }
        return answers.get(0);
    }

    @Override
    public void searchEach(List<SearchRequest> requests, int inFlight, long[] answers) {
        searches.searchEach(requests, inFlight, answers);
    }

    @Override
    public void searchAll(List<SearchRequest> requests, long[] answers) {
        searches.searchAll(requests, answers);
    }

    @Override
    public void update(List<Price> prices) throws IOException {
        ReplicatedPriceIndex here = replicated;
        if (here == null) {
            throw new UnsupportedOperationException("clients cannot update");
        }
        ask(ReplicaQuestion.version(here.update(DirectAdapter.batch(prices))));
    }

    /** Asks each other member, or each member if this is a client. */
    private List<Long> ask(ReplicaQuestion question) throws IOException {
        List<Future<Long>> asked = new ArrayList<>();
        for (Member member : asking.getCluster().getMembers()) {
            if (!member.localMember()) {
                asked.add(asking.getExecutorService("replicas").submitToMember(question, member));
            }
        }
        List<Long> answers = new ArrayList<>();
        try {
            for (Future<Long> each : asked) {
                answers.add(each.get());
            }
        } catch (ExecutionException e) {
            throw new IOException("a member does not answer", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return answers;
    }

    @Override
    public void close() {
        if (replicated != null) {
            replicated.close();
        }
    }
}
