package dev.touchstone.index.hazelcast.shard;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A processor that takes the next numbers of offerings from a counter, and answers with the first of them. Taking some twice does no harm. */
public final class ShardOrder implements EntryProcessor<String, Long, Long>, IdentifiedDataSerializable {
    private static final long serialVersionUID = 1;

    private int count;
    private long floor;

    /** Creates a processor without content, to be read. */
    ShardOrder() {}

    /**
     * Creates a processor.
     *
     * @param count number of numbers
     * @param floor number above which a counter begins that does not exist, or was lost with the members that had it; at least 0
     */
    public ShardOrder(int count, long floor) {
        this.count = count;
        this.floor = floor;
    }

    @Override
    public Long process(Map.Entry<String, Long> entry) {
        @Nullable Long last = entry.getValue();
        long before = last == null ? floor : last;
        entry.setValue(before + count);
        return before + 1;
    }

    @Override
    public int getFactoryId() {
        return ShardSchemas.FACTORY;
    }

    @Override
    public int getClassId() {
        return ShardSchemas.ORDER;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeInt(count);
        out.writeLong(floor);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        count = in.readInt();
        floor = in.readLong();
    }
}
