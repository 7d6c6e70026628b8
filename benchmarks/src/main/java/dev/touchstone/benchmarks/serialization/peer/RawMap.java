package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.spi.impl.ClientInvocation;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.util.ThreadUtil;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.operation.MapOperationProvider;
import com.hazelcast.spi.impl.AbstractDistributedObject;
import com.hazelcast.spi.impl.NodeEngine;
import java.util.Objects;

/** Bytes of values, as a map keeps them: the one class of the benchmarks that reaches below Hazelcast's API for it. Thread-safe. */
abstract class RawMap {

    /** For a client's map, or a member's. */
    static RawMap of(HazelcastInstance hazelcast, IMap<Integer, Object> map) {
        return hazelcast instanceof HazelcastClientProxy proxy
                ? new OfClient(proxy.client, map.getName())
                : new OfMember((AbstractDistributedObject<?>) map);
    }

    /** What can be put into a map in place of an object whose serialized form these bytes are. */
    static Object value(byte[] bytes) {
        return new HeapData(bytes);
    }

    /** The serialized form of an entry's value. */
    abstract byte[] get(int key);

    private static final class OfClient extends RawMap {
        private final HazelcastClientInstanceImpl client;
        private final String name;

        OfClient(HazelcastClientInstanceImpl client, String name) {
            this.client = client;
            this.name = name;
        }

        @Override
        byte[] get(int key) {
            Data keyData = client.getSerializationService().toData(key);
            int partition = client.getClientPartitionService().getPartitionId(keyData);
            var request = MapGetCodec.encodeRequest(name, keyData, ThreadUtil.getThreadId());
            var response = new ClientInvocation(client, request, name, partition)
                    .invoke()
                    .joinInternal();
            return Objects.requireNonNull(MapGetCodec.decodeResponse(response)).toByteArray();
        }
    }

    private static final class OfMember extends RawMap {
        private final NodeEngine engine;
        private final String name;
        private final MapOperationProvider operations;

        OfMember(AbstractDistributedObject<?> map) {
            engine = map.getNodeEngine();
            name = map.getName();
            operations = ((MapService) map.getService()).getMapServiceContext().getMapOperationProvider(name);
        }

        @Override
        byte[] get(int key) {
            Data keyData = engine.toData(key);
            MapOperation operation = operations.createGetOperation(name, keyData);
            operation.setThreadId(ThreadUtil.getThreadId());
            int partition = engine.getPartitionService().getPartitionId(keyData);
            Data value = engine.getOperationService()
                    .createInvocationBuilder(MapService.SERVICE_NAME, operation, partition)
                    .setResultDeserialized(false)
                    .<Data>invoke()
                    .joinInternal();
            return Objects.requireNonNull(value).toByteArray();
        }
    }
}
