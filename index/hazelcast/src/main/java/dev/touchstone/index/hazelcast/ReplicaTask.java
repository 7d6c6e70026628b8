package dev.touchstone.index.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A request of one member to the replica of another, which answers with bytes; with null if it has no such replica. */
final class ReplicaTask implements Callable<byte[]>, IdentifiedDataSerializable, HazelcastInstanceAware {
    /** Id of the factory of tasks in Hazelcast's configuration. */
    static final int FACTORY = 0x50524943;

    /** Maximum length of the arguments, in bytes. */
    private static final int MAX_ARGUMENT_BYTES = 1024;

    private String name = "";
    private int request;
    private byte[] arguments = {};
    private @Nullable HazelcastInstance member;

    /** Creates a task without content, to be read. */
    ReplicaTask() {}

    ReplicaTask(String name, ReplicaRequests.Kind request, byte[] arguments) {
        this.name = name;
        this.request = ReplicaRequests.KINDS.indexOf(request);
        this.arguments = arguments;
    }

    /** Returns a factory of tasks without content. */
    static DataSerializableFactory factory() {
        return id -> {
            if (id != 0) {
                throw new IllegalArgumentException(
                        "unknown class: factory=" + FACTORY + " class=" + id + " expected=0");
            }
            return new ReplicaTask();
        };
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance instance) {
        member = instance;
    }

    /** Returns the key of a replica in the user context of its member. */
    static String contextKey(String name) {
        return ReplicatedPriceIndex.class.getName() + ":" + name;
    }

    @Override
    public byte @Nullable [] call() throws IOException {
        HazelcastInstance here = Objects.requireNonNull(member, "member");
        return here.getUserContext().get(contextKey(name)) instanceof ReplicaRequests requests
                ? requests.answer(request, arguments)
                : null;
    }

    @Override
    public int getFactoryId() {
        return FACTORY;
    }

    @Override
    public int getClassId() {
        return 0;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeString(name);
        out.writeByte(request);
        out.writeByteArray(arguments);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        name = Objects.requireNonNullElse(in.readString(), "");
        request = in.readUnsignedByte();
        byte[] read = in.readByteArray();
        if (read == null || read.length > MAX_ARGUMENT_BYTES) {
            throw new IOException("arguments of a request are too long, or missing: request=" + request);
        }
        arguments = read;
    }
}
