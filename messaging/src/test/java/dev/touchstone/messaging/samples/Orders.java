package dev.touchstone.messaging.samples;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.databind.Databind;
import dev.touchstone.messaging.databind.ErlangAtom;
import dev.touchstone.messaging.databind.ErlangRecord;
import dev.touchstone.messaging.term.Pid;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Messages as Java records: {@code {order, Id, Customer, [{item, Sku, Count}], Coupon}}. */
final class Orders {
    private static final Databind<Order> ORDERS = Databind.of(Order.class, MethodHandles.lookup());

    private Orders() {}

    @ErlangRecord(tag = "order")
    record Order(long id, String customer, List<Item> items, Optional<String> coupon) {}

    @ErlangRecord(tag = "item")
    record Item(@ErlangAtom String sku, int count) {}

    static void send(Mailbox from, Pid to, Order order) {
        from.send(to, ORDERS, order);
    }

    /** The next order. @throws dev.touchstone.messaging.databind.DatabindException if it is something else, which it names */
    static Order receive(Mailbox mailbox) throws InterruptedException {
        return Objects.requireNonNull(mailbox.receive(ORDERS, Samples.TIMEOUT), "no order");
    }
}
