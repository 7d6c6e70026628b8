// Copies records by generated code, and adds one of nothing but defaults. Arguments: cluster, port, map, number of records.
import { Client } from 'hazelcast-client';
import { compactSerializers, Leaf, Wide, WideColor } from './compact-types';

async function main([cluster, port, map, count]: string[]): Promise<void> {
    const client = await Client.newHazelcastClient({
        clusterName: cluster,
        network: { clusterMembers: ['127.0.0.1:' + port] },
        connectionStrategy: { connectionRetry: { clusterConnectTimeoutMillis: 30000 } },
        properties: { 'hazelcast.logging.level': 'OFF' },
        serialization: { defaultNumberType: 'integer', compact: { serializers: compactSerializers } },
    });
    const records = await client.getMap<number, Wide>(map);
    for (let key = 1; key <= Number(count); key++) {
        const value = await records.get(key);
        if (!(value instanceof Wide)) {
            throw new Error(`not generated: ${value}`);
        }
        const color: WideColor | null = value.color;
        const leaf: Leaf | null = value.leaf;
        await records.set(100 + key, new Wide({ ...value, color, leaf }));
    }
    await records.set(200, new Wide());
    try {
        await records.get(300);
    } catch (failure) {
        console.log('refused:', failure instanceof Error ? failure.message : failure);
    }
    await client.shutdown();
}

main(process.argv.slice(2)).catch((error) => {
    console.error(error);
    process.exit(1);
});
