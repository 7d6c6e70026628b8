// Copies the trades 1 to 5 of a map to 101 to 105, by the Node.js client's own Compact serialization. Arguments: cluster, port, map.
const { Client, Predicates } = require('hazelcast-client');

class Trade {
    constructor(number, symbol, volume, price, isOpen, rating) {
        Object.assign(this, { number, symbol, volume, price, isOpen, rating });
    }
}

class TradeSerializer {
    getClass() {
        return Trade;
    }

    getTypeName() {
        return 'trade';
    }

    read(reader) {
        return new Trade(
            reader.readInt32('number'),
            reader.readString('symbol'),
            reader.readInt64('volume'),
            reader.readFloat64('price'),
            reader.readBoolean('isOpen'),
            reader.readNullableInt32('rating'));
    }

    write(writer, trade) {
        writer.writeInt32('number', trade.number);
        writer.writeString('symbol', trade.symbol);
        writer.writeInt64('volume', trade.volume);
        writer.writeFloat64('price', trade.price);
        writer.writeBoolean('isOpen', trade.isOpen);
        writer.writeNullableInt32('rating', trade.rating);
    }
}

async function main([cluster, port, map]) {
    const client = await Client.newHazelcastClient({
        clusterName: cluster,
        network: { clusterMembers: ['127.0.0.1:' + port] },
        connectionStrategy: { connectionRetry: { clusterConnectTimeoutMillis: 30000 } },
        properties: { 'hazelcast.logging.level': 'OFF' },
        serialization: { defaultNumberType: 'integer', compact: { serializers: [new TradeSerializer()] } },
    });
    const trades = await client.getMap(map);
    for (let key = 1; key <= 5; key++) {
        await trades.set(100 + key, await trades.get(key));
    }
    console.log('found', (await trades.valuesWithPredicate(Predicates.equal('number', 3))).toArray().length);
    await client.shutdown();
}

main(process.argv.slice(2)).catch((error) => {
    console.error(error);
    process.exit(1);
});
