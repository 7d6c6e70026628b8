package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.query.Predicate;
import java.util.Map;

/** Answers false without a look: what a scan costs before anything is compared. */
final class NoMatchPredicate implements Predicate<Integer, Object>, IdentifiedDataSerializable {
    static final int CLASS = 2;

    @Override
    public boolean apply(Map.Entry<Integer, Object> entry) {
        return false;
    }

    @Override
    public void writeData(ObjectDataOutput out) {
        // has no state
    }

    @Override
    public void readData(ObjectDataInput in) {
        // has no state
    }

    @Override
    public int getFactoryId() {
        return HazelcastSerialization.BENCHMARK_FACTORY;
    }

    @Override
    public int getClassId() {
        return CLASS;
    }
}
