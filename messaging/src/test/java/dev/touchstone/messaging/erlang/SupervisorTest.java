package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.behaviour.ChildSpec;
import dev.touchstone.messaging.behaviour.From;
import dev.touchstone.messaging.behaviour.GenServer;
import dev.touchstone.messaging.behaviour.Restart;
import dev.touchstone.messaging.behaviour.RunningServer;
import dev.touchstone.messaging.behaviour.ServerOptions;
import dev.touchstone.messaging.behaviour.Strategy;
import dev.touchstone.messaging.behaviour.Supervisor;
import dev.touchstone.messaging.behaviour.SupervisorBuilder;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A {@link Supervisor} of ours, asked by Erlang's {@code supervisor}; each answer is what OTP 25's own supervisor gives. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SupervisorTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private ErlangNode erl;
    private Node java;
    private String sup;

    /** Ends with the reason of a call {@code {stop, Reason}}; answers any other with its arguments. */
    private static final class Worker extends GenServer {
        private final List<Term> arguments;

        Worker(List<Term> arguments) {
            this.arguments = arguments;
        }

        @Override
        protected void init() {
            if (!arguments.isEmpty() && arguments.get(0).equals(Atom.of("bad"))) {
                stop(Atom.of("no_way"));
            }
        }

        @Override
        protected Term handleCall(Term request, From from) {
            if (request instanceof Tuple pair && pair.is(Atom.of("stop"), 2)) {
                stop(pair.get(1));
            }
            return ErlList.of(arguments);
        }
    }

    @BeforeEach
    void start() throws IOException {
        erl = lab.erl();
        java = lab.java();
        sup = "{sup, " + ErlangLab.quoted(java.name()) + "}";
    }

    @AfterEach
    void stop() {
        java.close();
    }

    private static ChildSpec worker(String id) {
        return ChildSpec.worker(id, Worker::new);
    }

    private RunningServer start(SupervisorBuilder builder) throws InterruptedException {
        return GenServer.start(
                java, builder.kind("java", "worker", Worker::new).build(), ServerOptions.DEFAULT.name("sup"));
    }

    /** Binds {@code Pid} to the pid of a child, and evaluates an expression. */
    private String withPid(String id, String expression) {
        return erl.ask(
                "{_, Pid, _, _} = lists:keyfind(" + id + ", 1, supervisor:which_children(" + sup + ")), " + expression);
    }

    /** Stops a child, and waits until another is shown: the answer to a stop comes before the supervisor sees the end. */
    private void expectRestart(String id, String reason) {
        withPid(id, "put(stopped, Pid), gen_server:call(Pid, {stop, " + reason + "})");
        erl.await("lists:any(fun({Id, P, _, _}) -> Id =:= " + id + " andalso is_pid(P) andalso P =/= get(stopped) end, "
                + "supervisor:which_children(" + sup + "))");
    }

    private void expect(String call, String value) {
        erl.expect("supervisor:" + call.replace("(", "(" + sup + (call.endsWith("()") ? "" : ", ")), value);
    }

    private void expectChildren(String childrenLastFirst) {
        erl.expect(
                "[{Id, is_pid(P) orelse P} || {Id, P, worker, [java]} <- supervisor:which_children(" + sup + ")]",
                childrenLastFirst);
    }

    @Test
    void children_byErlang_areShownTerminatedRestartedAndDeleted() throws Exception {
        start(Supervisor.builder(Strategy.ONE_FOR_ONE).child(worker("a")).child(worker("b")));
        expectChildren("[{b,true},{a,true}]");
        expect("count_children()", "[{specs,2},{active,2},{supervisors,0},{workers,2}]");
        expect("terminate_child(a)", "ok");
        expect("terminate_child(a)", "ok");
        expect("terminate_child(zz)", "{error,not_found}");
        expectChildren("[{b,true},{a,undefined}]");
        expect("count_children()", "[{specs,2},{active,1},{supervisors,0},{workers,2}]");
        expect("restart_child(b)", "{error,running}");
        expect("restart_child(zz)", "{error,not_found}");
        erl.expect("{ok, P} = supervisor:restart_child(" + sup + ", a), gen_server:call(P, x)", "[]");
        expect("delete_child(a)", "{error,running}");
        expect("delete_child(zz)", "{error,not_found}");
        expect("terminate_child(a)", "ok");
        expect("delete_child(a)", "ok");
        expectChildren("[{b,true}]");
        erl.expect("gen_server:call(" + sup + ", hmm)", "{error,unknown_request}");
    }

    @Test
    void startChild_byErlang_startsRegisteredKinds() throws Exception {
        start(Supervisor.builder(Strategy.ONE_FOR_ONE));
        String spec = "#{id => d, start => {java, worker, [1, two]}}";
        erl.expect("{ok, P} = supervisor:start_child(" + sup + ", " + spec + "), gen_server:call(P, x)", "[1,two]");
        erl.expect(
                "{error, {already_started, P}} = supervisor:start_child(" + sup + ", " + spec + "), is_pid(P)", "true");
        expect("terminate_child(d)", "ok");
        expectStart(spec, "{error,already_present}");
        String bad = "{child,undefined,e,{java,worker,[bad]},permanent,false,5000,worker,[java]}";
        expectStart("#{id => e, start => {java, worker, [bad]}}", "{error,{no_way," + bad + "}}");
        expectStart(
                "#{id => e, start => {java, nope, [7]}}",
                "{error,{{'EXIT',{undef,[{java,nope,[7],[]}]}},"
                        + "{child,undefined,e,{java,nope,[7]},permanent,false,5000,worker,[java]}}}");
        expectStart("foo", "{error,{invalid_child_spec,foo}}");
        expectStart("#{id => q}", "{error,missing_start}");
        expectStart("#{start => {java, worker, []}}", "{error,missing_id}");
        expectStart("#{id => q, start => {java, worker, []}, restart => foo}", "{error,{invalid_restart_type,foo}}");
        expectStart("{q, {java, worker, []}, permanent, foo, worker, [java]}", "{error,{invalid_shutdown,foo}}");
        erl.expect(
                "element(1, supervisor:start_child(" + sup
                        + ", {q, {java, worker, []}, temporary, brutal_kill, worker, [java]}))",
                "ok");
        erl.expect(
                "supervisor:get_childspec(" + sup + ", q)",
                "{ok,#{id => q,modules => [java],restart => temporary,shutdown => brutal_kill,"
                        + "significant => false,start => {java,worker,undefined},type => worker}}");
        erl.expect(
                "supervisor:get_childspec(" + sup + ", d)",
                "{ok,#{id => d,modules => [java],restart => permanent,shutdown => 5000,"
                        + "significant => false,start => {java,worker,[1,two]},type => worker}}");
        expect("get_childspec(zz)", "{error,not_found}");
        expectChildren("[{q,true},{d,undefined}]");
        expect("terminate_child(q)", "ok");
        expectChildren("[{d,undefined}]");
    }

    private void expectStart(String spec, String value) {
        erl.expect("supervisor:start_child(" + sup + ", " + spec + ")", value);
    }

    @Test
    void oneForOne_restartsByTheRuleOfTheChild() throws Exception {
        start(Supervisor.builder(Strategy.ONE_FOR_ONE)
                .intensity(10, Duration.ofSeconds(60))
                .child(worker("permanent"))
                .child(worker("transient").restart(Restart.TRANSIENT))
                .child(worker("temporary").restart(Restart.TEMPORARY)));
        String others = withPid("transient", "Pid");
        for (String reason : List.of("normal", "shutdown", "broken")) {
            expectRestart("permanent", reason);
        }
        assertThat(withPid("transient", "Pid")).isEqualTo(others);
        expectRestart("transient", "broken");
        withPid("transient", "gen_server:call(Pid, {stop, {shutdown, done}})");
        withPid("temporary", "gen_server:call(Pid, {stop, broken})");
        erl.await("[{Id, is_pid(P) orelse P} || {Id, P, _, _} <- supervisor:which_children(" + sup
                + ")] =:= [{transient, undefined}, {permanent, true}]");
    }

    @Test
    void restForOne_restartsTheLaterOnes() throws Exception {
        start(Supervisor.builder(Strategy.REST_FOR_ONE)
                .child(worker("a"))
                .child(worker("b"))
                .child(worker("c")));
        expectRestarted("b", List.of("b", "c"), List.of("a"));
    }

    @Test
    void oneForAll_restartsAll() throws Exception {
        start(Supervisor.builder(Strategy.ONE_FOR_ALL)
                .child(worker("a"))
                .child(worker("b"))
                .child(worker("c")));
        expectRestarted("b", List.of("a", "b", "c"), List.of());
    }

    private void expectRestarted(String ended, List<String> restarted, List<String> kept) {
        erl.expect("put(before, supervisor:which_children(" + sup + ")), ok", "ok");
        withPid(ended, "gen_server:call(Pid, {stop, broken})");
        String changed = "[Id || {Id, P, _, _} <- lists:sort(supervisor:which_children(" + sup
                + ")), is_pid(P), not lists:keymember(P, 2, get(before))]";
        erl.await(changed + " =:= " + restarted);
        String same =
                "[Id || {Id, P, _, _} <- supervisor:which_children(" + sup + "), lists:keymember(P, 2, get(before))]";
        erl.expect(same, kept.toString());
    }

    @Test
    void intensity_thatIsExceeded_endsTheSupervisorAndItsChildren() throws Exception {
        RunningServer running = start(Supervisor.builder(Strategy.ONE_FOR_ONE)
                .intensity(2, Duration.ofSeconds(60))
                .child(worker("a"))
                .child(worker("b")));
        erl.expect(
                "monitor(process, " + sup + "), put(b, element(2, lists:keyfind(b, 1, supervisor:which_children(" + sup
                        + ")))), monitor(process, get(b)), ok",
                "ok");
        expectRestart("a", "broken");
        expectRestart("a", "broken");
        withPid("a", "gen_server:call(Pid, {stop, broken})");
        assertThat(running.awaitEnd(SOON)).isTrue();
        assertThat(running.reason()).isEqualTo(Optional.of(Atom.of("shutdown")));
        erl.expect("receive {'DOWN', _, process, {sup, _}, R} -> R after 9000 -> none end", "shutdown");
        erl.expect("B = get(b), receive {'DOWN', _, process, B, R} -> R after 9000 -> none end", "shutdown");
    }

    @Test
    void simpleOneForOne_startsChildrenOfOneKind() throws Exception {
        start(Supervisor.builder(Strategy.SIMPLE_ONE_FOR_ONE).child(worker("t")));
        erl.expect(
                "{ok, P} = supervisor:start_child(" + sup + ", [one, two]), put(p, P), gen_server:call(P, x)",
                "[one,two]");
        erl.expect("P = get(p), [{undefined, P, worker, [java]}] = supervisor:which_children(" + sup + "), ok", "ok");
        expect("count_children()", "[{specs,1},{active,1},{supervisors,0},{workers,1}]");
        expect("terminate_child(t)", "{error,simple_one_for_one}");
        expect("delete_child(t)", "{error,simple_one_for_one}");
        expect("restart_child(t)", "{error,simple_one_for_one}");
        erl.expect("gen_server:call(get(p), {stop, broken})", "[one,two]");
        erl.await("[true || {undefined, P, _, _} <- supervisor:which_children(" + sup
                + "), is_pid(P), P =/= get(p), gen_server:call(P, x) =:= [one,two]] =:= [true]");
        erl.expect(
                "[{_, P, _, _}] = supervisor:which_children(" + sup + "), [supervisor:terminate_child(" + sup
                        + ", P) || _ <- [1, 2]]",
                "[ok,ok]");
        expect("which_children()", "[]");
    }

    @Test
    void tree_ofSupervisors_isShownAndEndsTogether() throws Exception {
        RunningServer running = start(Supervisor.builder(Strategy.ONE_FOR_ALL)
                .child(ChildSpec.supervisor(
                        "below",
                        none -> Supervisor.builder(Strategy.ONE_FOR_ONE)
                                .child(worker("leaf").options(ServerOptions.DEFAULT.name("leaf")))
                                .build())));
        expect("count_children()", "[{specs,1},{active,1},{supervisors,1},{workers,0}]");
        assertThat(withPid("below", "[Id || {Id, _, _, _} <- supervisor:which_children(Pid)]"))
                .isEqualTo("[leaf]");
        String leaf = "{leaf, " + ErlangLab.quoted(java.name()) + "}";
        erl.expect("monitor(process, " + leaf + "), gen_server:stop(" + sup + ")", "ok");
        assertThat(running.awaitEnd(SOON)).isTrue();
        erl.expect("receive {'DOWN', _, process, {leaf, _}, R} -> R after 9000 -> none end", "shutdown");
        assertThat(java.whereis("leaf")).isNull();
    }
}
