package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.impl.QueryableEntry;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import dev.touchstone.serialization.RecordView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** Compares the {@code stringField} inside the bytes of a value, which need not become an object. Threads of a member share it. */
final class OursPredicate implements Predicate<Integer, Object>, IdentifiedDataSerializable {
    static final int FACTORY = 3;
    static final int CLASS = 1;

    private RecordSize size = RecordSize.SMALL;
    private int field;
    private byte[] wanted = new byte[0];
    private final transient ThreadLocal<RecordView> views = ThreadLocal.withInitial(this::newView);

    /** To be filled by {@link #readData}. */
    OursPredicate() {}

    OursPredicate(RecordSize size, String wanted) {
        use(size, wanted.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public boolean apply(Map.Entry<Integer, Object> entry) {
        byte[] bytes = ((QueryableEntry<?, ?>) entry).getValueData().toByteArray();
        return views.get().stringEquals(bytes, field, wanted);
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeString(size.name());
        out.writeByteArray(wanted);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        use(RecordSize.valueOf(Objects.requireNonNull(in.readString())), Objects.requireNonNull(in.readByteArray()));
    }

    @Override
    public int getFactoryId() {
        return FACTORY;
    }

    @Override
    public int getClassId() {
        return CLASS;
    }

    private void use(RecordSize newSize, byte[] newWanted) {
        size = newSize;
        wanted = newWanted;
        field = OursCodecs.schema(size).indexOf("stringField");
    }

    private RecordView newView() {
        return OursCodecs.serialization().newRecordView(OursCodecs.schema(size));
    }
}
