#include "arch/arch.h"
#include "base/str.h"

#define DIGITS "[0-9]*"

/* PMU names of the drivers of Linux 6.12, as shell patterns; the first match counts. */
static const struct uncore {
	const char *pattern, *unit;
} uncore[] = {
	{ "arm_cmn_" DIGITS, "CMN mesh" },
	{ "arm_dsu_" DIGITS, "DynamIQ shared unit and L3" },
	{ "arm_dmc620_*", "DMC-620 memory controller" },
	{ "arm_ni_" DIGITS "_cd_" DIGITS, "NI-700 interconnect" },
	{ "arm_spe_" DIGITS, "statistical profiling (SPE)" },
	{ "arm_cspmu_" DIGITS, "CoreSight system PMU" },
	{ "smmuv3_pmcg_*", "SMMU address translation" },
	{ "ccn", "CCN interconnect" },
	{ "ccn_" DIGITS, "CCN interconnect" },
	{ "CCI_*", "CCI interconnect" },
	{ "hisi_sccl" DIGITS "_l3c" DIGITS, "HiSilicon L3 cache" },
	{ "hisi_sccl" DIGITS "_hha" DIGITS, "HiSilicon Hydra home agent" },
	{ "hisi_sccl" DIGITS "_ddrc" DIGITS, "HiSilicon memory controller" },
	{ "hisi_sccl" DIGITS "_sllc" DIGITS, "HiSilicon link between dies" },
	{ "hisi_sccl" DIGITS "_uc" DIGITS, "HiSilicon unified cache" },
	{ "hisi_sicl" DIGITS "_cpa" DIGITS, "HiSilicon coherency protocol agent" },
	{ "hisi_sicl" DIGITS "_pa" DIGITS, "HiSilicon protocol adapter" },
	{ "hisi_pcie" DIGITS "_core" DIGITS, "HiSilicon PCIe" },
	{ "hns3_pmu_sicl_" DIGITS, "HiSilicon network card" },
	{ "l2cache_" DIGITS, "Qualcomm L2 cache" },
	{ "l3cache_" DIGITS "_" DIGITS, "Qualcomm L3 cache" },
	{ "uncore_dmc_" DIGITS, "ThunderX2 memory controller" },
	{ "uncore_l3c_" DIGITS, "ThunderX2 L3 cache" },
	{ "l3c" DIGITS, "X-Gene L3 cache" },
	{ "iob" DIGITS, "X-Gene I/O bridge" },
	{ "mcb" DIGITS, "X-Gene memory bridge" },
	{ "mc" DIGITS, "X-Gene memory controller" },
	{ "imx[89]_ddr" DIGITS, "i.MX memory controller" },
	{ "meson_ddr_bw", "Amlogic memory bandwidth" },
	{ "mrvl_ddr_pmu_*", "Marvell memory controller" },
	{ "tad", "Marvell L3 cache (TAD)" },
	{ "tad_*", "Marvell L3 cache (TAD)" },
	{ "ali_drw_*", "Yitian memory controller" },
	{ "dwc_rootport_*", "PCIe root port" },
	{ "cxl_pmu_mem" DIGITS, "CXL memory device" },
	{ "nvidia_scf_pmu_" DIGITS, "NVIDIA coherency fabric" },
	{ "nvidia_nvlink_c2c[01]_pmu_" DIGITS, "NVIDIA link between chips" },
	{ "nvidia_cnvlink_pmu_" DIGITS, "NVIDIA link between sockets" },
	{ "nvidia_pcie_pmu_" DIGITS, "NVIDIA PCIe" },
	{ "ampere_mcu_pmu_" DIGITS, "Ampere memory controller" },
};

const char *arch_uncore_name(const char *pmu)
{
	for (size_t i = 0; i < ARRAY_SIZE(uncore); i++) {
		if (str_glob(uncore[i].pattern, sv_from(pmu)))
			return uncore[i].unit;
	}
	return NULL;
}
