package dev.touchstone.index.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.channels.FileChannel;

@ArchTag("sweep")
@AnalyzeClasses(packages = "dev.touchstone.index.server", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule KNOWS_THE_INDEX_ITS_LOADERS_ITS_CLUSTER_AND_THE_QUEUE_ONLY = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("dev.touchstone..")
                    .and(not(resideInAnyPackage(
                            "dev.touchstone.cli",
                            "dev.touchstone.index",
                            "dev.touchstone.index.price",
                            "dev.touchstone.index.sample",
                            "dev.touchstone.index.hazelcast",
                            "dev.touchstone.index.loader",
                            "dev.touchstone.queue",
                            "dev.touchstone.queue.inspect",
                            "dev.touchstone.index.server.."))));

    @ArchTest
    static final ArchRule SOCKETS_LIVE_IN_HTTP = noClasses()
            .that()
            .resideOutsideOfPackage("dev.touchstone.index.server.http")
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage("io.netty..", "java.nio.channels").and(not(assignableTo(FileChannel.class))));

    @ArchTest
    static final ArchRule THE_QUEUE_IS_THE_STORE_S = noClasses()
            .that()
            .resideOutsideOfPackage("dev.touchstone.index.server.store")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.touchstone.queue..");

    @ArchTest
    static final ArchRule ANSWERS_KNOW_NO_WAY_IN = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.index.server.api..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.touchstone.index.server",
                    "dev.touchstone.index.server.http",
                    "dev.touchstone.index.server.store");
}
