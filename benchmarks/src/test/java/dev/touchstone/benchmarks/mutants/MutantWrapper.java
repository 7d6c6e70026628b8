package dev.touchstone.benchmarks.mutants;

import dev.touchstone.benchmarks.SubjectWrappers;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Puts the mutant that a system property names in place of its subject. */
public final class MutantWrapper implements SubjectWrappers.Wrapper {
    static final String PROPERTY = "touchstone.mutant";

    @Override
    public <T> T wrap(String subject, Class<T> role, T opened) {
        String name = System.getProperty(PROPERTY, "");
        List<Mutant> chosen = Mutants.all().stream()
                .filter(mutant -> mutant.name().equals(name))
                .filter(mutant -> mutant.subject().equals(subject) && mutant.role() == role)
                .toList();
        return chosen.isEmpty() ? opened : broken(chosen.get(0), role, opened);
    }

    private static <T> T broken(Mutant mutant, Class<T> role, T opened) {
        Set<Class<?>> interfaces = new LinkedHashSet<>(Set.of(role));
        for (Class<?> type = opened.getClass(); type != null; type = type.getSuperclass()) {
            interfaces.addAll(List.of(type.getInterfaces()));
        }
        Map<String, Object> memory = new HashMap<>();
        return role.cast(Proxy.newProxyInstance(
                role.getClassLoader(), interfaces.toArray(Class<?>[]::new), (proxy, method, args) -> {
                    synchronized (memory) {
                        return mutant.twist()
                                .answer(new Call(opened, method, args == null ? new Object[0] : args, memory));
                    }
                }));
    }
}
